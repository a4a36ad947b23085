// The input of a tool has the type its schema library gives it. (arktype is left out: its declarations want Node's.)
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import { tool } from "countersign";
import * as v from "valibot";
import { z } from "zod";

export const withZod = tool({
  name: "t",
  description: "d",
  inputSchema: z.object({ title: z.string(), tags: z.array(z.string()).optional() }),
  execute: ({ title, tags }) => {
    const words: string[] | undefined = tags;
    // @ts-expect-error a title is a text
    const wrong: number = title;
    return `${title} ${words?.length ?? wrong}`;
  },
});

export const withValibot = tool({
  name: "t",
  description: "d",
  inputSchema: toStandardJsonSchema(v.object({ count: v.number() })),
  // @ts-expect-error a count is no text
  execute: ({ count }) => count.toUpperCase(),
});

// @ts-expect-error valibot alone has no JSON Schema; its companion package adds it
tool({ name: "t", description: "d", inputSchema: v.object({ count: v.number() }), execute: () => "x" });
