// The requests that are built: for every history of the corpus and for histories made by chance, each body keeps the
// provider's pairing rules and is what the types of the provider's own SDK call a request.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { buildRequest, init } from "countersign";
import { historyBy } from "./histories.mjs";
import { RULES } from "./pairing-rules.mjs";
import { chance, FORMATS } from "./streams.mjs";

const HISTORIES = 600;
// as many of them are written out for the compiler, which takes its time
const TYPED = 120;

// What a body is to the SDK: how the type is imported, and its name. Gemini's SDK writes the body of the wire itself
// and has types for its parts alone.
const TYPES = {
  anthropic: { imports: 'import type Anthropic from "@anthropic-ai/sdk";', type: "Anthropic.MessageCreateParamsStreaming" },
  "openai-chat": { imports: 'import type OpenAI from "openai";', type: "OpenAI.ChatCompletionCreateParamsStreaming" },
  "openai-responses": { imports: 'import type OpenAI from "openai";', type: "OpenAI.Responses.ResponseCreateParamsStreaming" },
  gemini: {
    // its enums are words on the wire
    imports: `import type { Content, GenerationConfig, SafetySetting, Tool, ToolConfig } from "@google/genai";
type Wire<T> = T extends string ? \`\${T}\` : T extends readonly (infer U)[] ? Wire<U>[] : T extends object ? { [K in keyof T]: Wire<T[K]> } : T;`,
    type: "Wire<{ contents: Content[]; systemInstruction?: Content; tools?: Tool[]; toolConfig?: ToolConfig; generationConfig?: GenerationConfig; safetySettings?: SafetySetting[] }>",
  },
};

// States of the corpus that the provider does not issue; they go back as they came, which its types do not foresee.
const MADE_UP = new Set(["HB44", "HR52"]);

const folder = new URL("../corpus/", import.meta.url);
const output = new URL("output/", import.meta.url);
const corpus = readdirSync(folder).filter((name) => /^history.*\.jsonl$/.test(name)).flatMap((name) => readFileSync(new URL(name, folder), "utf8").split("\n").filter((line) => line !== "").map((line) => JSON.parse(line)));
const builds = corpus.filter(({ kind, fault }) => kind === "build" && fault === undefined);

before(() => init());

/** The body, or nothing where there is nothing to send. */
function built(format, request) {
  try {
    return buildRequest(format, request).body;
  } catch (error) {
    if (error.code === "invalid_request" && error.path === "messages") return undefined;
    throw error;
  }
}

function randomBodies(format, count) {
  return Array.from({ length: count }, (_, seed) => ({ id: `seed ${seed}`, body: built(format, historyBy(chance(seed), format).request) })).filter(({ body }) => body !== undefined);
}

// What the host adds by itself is the host's; and every history of one format is one of every other.
function corpusBodies(format) {
  return builds.filter(({ id }) => !MADE_UP.has(id)).flatMap(({ id, request: { extraBody, ...request } }) => {
    const body = built(format, request);
    return body === undefined ? [] : [{ id, body }];
  });
}

// And the requests as they stand.
function ownBodies(format) {
  return builds.filter((each) => each.format === format && !MADE_UP.has(each.id)).map(({ id, request }) => ({ id, body: built(format, request) }));
}

// Where it stands in the body: as a part of its own, or within one, where what several states say is joined.
function sealedText(format, value) {
  if (format === "gemini") return `"thoughtSignature":${JSON.stringify(value.thoughtSignature)}`;
  return format === "openai-chat" ? JSON.stringify(value.reasoning_details?.[0] ?? value.reasoning_content).slice(1, -1) : JSON.stringify(value);
}

// What servers other than OpenAI's want back, which its types do not foresee.
const FOREIGN = new Set(["reasoning_content", "reasoning_details", "extra_content", "provider_specific_fields"]);
const typed = (format, body) => (format === "openai-chat" ? JSON.parse(JSON.stringify(body, (key, value) => (FOREIGN.has(key) ? undefined : value))) : body);

test("s5 opaque state goes back to its issuer as it came, and to nobody else", () => {
  for (const format of FORMATS) {
    let returned = 0;
    for (let seed = 0; seed < HISTORIES; seed += 1) {
      const { isOrderly, request } = historyBy(chance(seed), format);
      const text = JSON.stringify(built(format, request) ?? {});
      for (const [, issuer] of text.matchAll(/sealed-by-([a-z-]+)/g)) assert.equal(issuer, format, `seed ${seed}`);
      if (!isOrderly) continue;
      for (const { value } of request.messages.flatMap(({ content }) => content).filter(({ type, provider }) => type === "provider_state" && provider === format)) {
        const sealed = sealedText(format, value);
        assert.ok(text.includes(sealed), `seed ${seed}: ${sealed}`);
        returned += 1;
      }
    }
    assert.ok(returned > 50, `${format}: ${returned}`);
  }
});

for (const format of FORMATS) {
  test(`t6 every body for ${format} keeps the rules of its provider`, (t) => {
    const wrong = [];
    const bodies = [...ownBodies(format), ...corpusBodies(format), ...randomBodies(format, HISTORIES)];
    for (const { id, body } of bodies) {
      const broken = RULES[format](body);
      if (broken.length > 0) wrong.push(`${id}: ${broken.join("; ")}\n  ${JSON.stringify(body)}`);
    }
    t.diagnostic(`${bodies.length} bodies`);
    assert.ok(bodies.length > HISTORIES / 2);
    assert.equal(wrong.length, 0, `${wrong.length} bodies:\n${wrong.slice(0, 8).join("\n")}`);
  });

  test(`every body for ${format} has the SDK's type, and a wrong one has not`, () => {
    const { imports, type } = TYPES[format];
    const bodies = [...corpusBodies(format), ...randomBodies(format, TYPED)];
    const lines = bodies.map(({ id, body }, at) => `// ${id.replace(/\s+/g, " ")}\nexport const b${at} = ${JSON.stringify(typed(format, body))} satisfies Body;`);
    const wrong = [{ ...bodies[0].body, contents: 7, messages: 7, input: 7 }, { ...bodies[0].body, unheard_of: 1 }];
    lines.push(...wrong.map((body, at) => `// @ts-expect-error it must be able to fail\nexport const w${at} = ${JSON.stringify(body)} satisfies Body;`));
    mkdirSync(output, { recursive: true });
    writeFileSync(new URL(`${format}.ts`, output), `${imports}\n\ntype Body = ${type};\n\n${lines.join("\n")}\n`);
    const options = { target: "ES2022", lib: ["ES2022", "DOM", "DOM.Iterable"], module: "NodeNext", moduleResolution: "NodeNext", strict: true, noEmit: true, skipLibCheck: true, types: [] };
    writeFileSync(new URL(`tsconfig.${format}.json`, output), JSON.stringify({ compilerOptions: options, files: [`${format}.ts`] }));
    const tsc = fileURLToPath(new URL("../../node_modules/typescript/bin/tsc", import.meta.url));
    const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", fileURLToPath(new URL(`tsconfig.${format}.json`, output))], { encoding: "utf8" });
    assert.equal(status, 0, stdout.slice(0, 6_000));
  });
}
