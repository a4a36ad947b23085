// Validators of one tool input: zod with and without the code it generates (which a strict content policy forbids), and ajv.
import Ajv from "ajv";
import { jsonSchemas, zodSchemas } from "./lib/host.mjs";

export const meta = { id: "schema", title: "zod and ajv", kind: "peer", w4: true };

// zod decides at a schema's first use, so each way has schemas of its own
const [zod, plain] = [zodSchemas(), zodSchemas()];
const compiledBy = (ajv) => Object.fromEntries(Object.entries(jsonSchemas()).map(([name, schema]) => [name, ajv.compile(schema)]));
const ajv = compiledBy(new Ajv({ strict: false }));
const ajvAll = compiledBy(new Ajv({ strict: false, allErrors: true }));

export const w4 = {
  "zod": { object: (value, name) => zod[name].safeParse(value).success },
  "zod without generated code": { object: (value, name) => plain[name].safeParse(value, { jitless: true }).success },
  "ajv": { object: (value, name) => ajv[name](value) },
  "ajv, every error": { object: (value, name) => ajvAll[name](value) },
  "JSON.parse + zod": { text: (json, name) => zod[name].safeParse(JSON.parse(json)).success },
  "JSON.parse + ajv": { text: (json, name) => ajv[name](JSON.parse(json)) },
  "JSON.parse alone": { unchecked: true, text: (json) => JSON.parse(json) !== undefined },
};
