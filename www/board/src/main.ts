// The page begins here: loads the core, opens the board, and draws it.

import { init } from "countersign";
import { mount } from "svelte";

import App from "./app/App.svelte";
import { PageVoice } from "./app/voice.svelte.ts";
import { Desk } from "./document/desk.svelte.ts";
import { seed } from "./document/seed.ts";
import { openBoard } from "./document/tabs.ts";
import { strings } from "./strings.ts";
import { clip, fill } from "./words.ts";

import "./base.css";

const target = document.querySelector<HTMLElement>("#app");
if (target !== null) void start(target);

async function start(at: HTMLElement): Promise<void> {
  at.textContent = strings.loading;
  try {
    await init();
    const voice = new PageVoice();
    const store = openBoard(seed as never, (label) => voice.note(fill(strings.otherTab, { label: clip(label) })));
    at.textContent = "";
    mount(App, { target: at, props: { desk: new Desk(store, voice), voice } });
    at.dataset["ready"] = "";
  } catch (error) {
    at.textContent = fill(strings.notOpened, { why: error instanceof Error ? error.message : String(error) });
  }
}
