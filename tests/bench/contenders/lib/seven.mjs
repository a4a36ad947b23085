// Version 7 lives in a folder of its own: it asks for a newer Node than this project, and two versions cannot share one.
const from = (name) => import(new URL(`../../v7/node_modules/${name}/dist/index.js`, import.meta.url));

export const seven = { ai: await from("ai"), anthropic: await from("@ai-sdk/anthropic"), openai: await from("@ai-sdk/openai") };
