// Starts the page. Enters: the package and the first document. Leaves: the page, or one sentence that says it could
// not start.

import { createRoot } from "react-dom/client";

import { init } from "countersign/threat-model";

import { Announcer, Notes } from "./announce.tsx";
import { App } from "./app/App.tsx";
import { keepFocus } from "./app/focus.ts";
import { Guard } from "./app/Guard.tsx";
import { seed } from "./app/seed.ts";
import { installTooltips } from "./app/tooltip.ts";
import { Desk } from "./files/desk.ts";
import { appStrings } from "./strings/app.ts";

async function start(root: HTMLElement): Promise<void> {
  await init(new URL("threat-model.wasm", document.baseURI));
  installTooltips();
  keepFocus(root);
  const desk = new Desk(seed, new Announcer());
  createRoot(root).render(
    <Guard says={appStrings.guard.app} className="guard-app" save={() => void desk.save()} beside={<Notes announcer={desk.announcer} />}>
      <App desk={desk} />
    </Guard>,
  );
}

function line(role: "status" | "alert", text: string): HTMLElement {
  const paragraph = document.createElement("p");
  paragraph.className = "loading";
  paragraph.role = role;
  paragraph.textContent = text;
  return paragraph;
}

const root = document.getElementById("app");
if (root !== null) {
  root.replaceChildren(line("status", appStrings.loading));
  start(root).catch((error: unknown) => {
    root.replaceChildren(line("alert", appStrings.loadFailed));
    console.error(error);
  });
}
