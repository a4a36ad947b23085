// The page: a document, an editor for it, and an assistant at its side. Enters: the first document. Leaves: the
// running page. Holds which document is open; each part is told what it needs and no more.

import type { Session } from "countersign/threat-model";
import { useCallback, useEffect, useRef, useState, type CSSProperties, type ReactNode } from "react";
import { flushSync } from "react-dom";

import { Notes } from "../announce.tsx";
import { Assistant, type AssistantHandle } from "../assistant/Assistant.tsx";
import { useCell } from "../cell.ts";
import { pressOf } from "../editor/canvas-keys.ts";
import { Canvas } from "../editor/Canvas.tsx";
import { Drawer } from "../editor/drawer/Drawer.tsx";
import { WorkspaceContext } from "../editor/workspace.tsx";
import { Desk } from "../files/desk.ts";
import { useDrop } from "../files/useDrop.ts";
import { Inspector } from "../past/Inspector.tsx";
import { PastBar } from "../past/PastBar.tsx";
import { usePast } from "../past/usePast.ts";
import { appStrings } from "../strings/app.ts";
import { say, shorten } from "../text.ts";
import { Confirm, KeySheet } from "./Dialog.tsx";
import { Guard } from "./Guard.tsx";
import { installKeys } from "./keys.ts";
import { remember, remembered } from "./memory.ts";
import { Picker, findChoice } from "./Picker.tsx";
import { Splitter, useSize } from "./Splitter.tsx";
import { TopBar } from "./TopBar.tsx";

const PANEL = { name: "panel-width", least: 320, most: 640, usual: 408 };
const DRAWER = { name: "drawer-height", least: 160, most: 560, usual: 264 };
const WIDE = "(width >= 800px)";

/** The page. */
export function App({ desk }: { readonly desk: Desk }): ReactNode {
  const announcer = desk.announcer;
  const workspace = useCell(desk.workspace);
  const question = useCell(desk.question);
  const isUnsaved = useUnsaved(desk);
  const [isSheetOpen, setSheetOpen] = useState(false);
  const [isPanelOpen, setPanelOpen] = useSwitch("panel-open", true);
  const [isInspecting, setInspecting] = useSwitch("inspector-open", false);
  const [session, setSession] = useState<Session>();
  const { past, look: lookBack } = usePast(workspace, isInspecting ? session : undefined);
  const shown = past?.workspace ?? workspace;
  const [isDrawerOpen, setDrawerOpen] = useSwitch("drawer-open", matchMedia(WIDE).matches);
  const [panelWidth, setPanelWidth] = useSize(PANEL);
  const [drawerHeight, setDrawerHeight] = useSize(DRAWER);
  const assistant = useRef<AssistantHandle>(null);
  const drops = useDrop(desk);

  const find = useCallback(() => shown.choice.set(findChoice(shown)), [shown]);
  const isPast = past !== undefined;
  const inspect = useCallback(() => {
    flushSync(() => setInspecting(!isInspecting)); // what is not there takes no focus
    document.querySelector<HTMLElement>(isInspecting ? ".canvas" : ".inspector")?.focus();
  }, [isInspecting, setInspecting]);
  const hide = useCallback(() => {
    setPanelOpen(false);
    document.querySelector<HTMLElement>(".toggle")?.focus();
  }, [setPanelOpen]);

  useEffect(
    () =>
      installKeys({
        undo: () => !isPast && workspace.undo(),
        redo: () => !isPast && workspace.redo(),
        inspect,
        find,
        open: () => void desk.open(),
        save: () => void desk.save(),
        help: () => setSheetOpen(true),
        focusAssistant: () => {
          flushSync(() => setPanelOpen(true)); // what is hidden takes no focus
          assistant.current?.focus();
        },
        drawing: (event) => {
          if (shown.view?.press(pressOf(event), undefined) === true) event.preventDefault();
        },
      }),
    [desk, workspace, shown, isPast, find, inspect, setPanelOpen],
  );
  useEffect(() => workspace.threat.subscribe(() => setDrawerOpen(true)), [workspace, setDrawerOpen]);
  useEffect(() => {
    document.getElementById("app")?.setAttribute("data-ready", "");
  }, []);

  const sizes = { "--panel-width": `${panelWidth}px`, "--drawer-height": `${drawerHeight}px` } as CSSProperties;
  return (
    <WorkspaceContext value={shown}>
      <div className="page" data-panel={isPanelOpen ? "open" : "closed"} data-drawer={isDrawerOpen && !isInspecting ? "open" : "closed"} data-inspector={isInspecting ? "open" : "closed"} style={sizes}>
        <TopBar
          workspace={workspace}
          isUnsaved={isUnsaved}
          isPanelOpen={isPanelOpen}
          isInspecting={isInspecting}
          isPast={isPast}
          newFile={() => desk.empty()}
          openFile={() => void desk.open()}
          saveFile={() => void desk.save()}
          find={find}
          help={() => setSheetOpen(true)}
          inspect={inspect}
          togglePanel={() => setPanelOpen(!isPanelOpen)}
        />
        <main className="work">
          {past !== undefined && <PastBar past={past} back={() => lookBack(undefined)} />}
          <Canvas key={`${desk.opened} ${isPast ? "past" : "now"}`} />
          {(isDrawerOpen || isInspecting) && <Splitter label={appStrings.drawerHeight} range={DRAWER} size={drawerHeight} set={setDrawerHeight} orientation="horizontal" />}
          {isInspecting ? <Inspector session={session} isPast={isPast} look={lookBack} hide={inspect} /> : <Drawer isOpen={isDrawerOpen} show={setDrawerOpen} />}
          {isPanelOpen && <Splitter label={appStrings.panelWidth} range={PANEL} size={panelWidth} set={setPanelWidth} orientation="vertical" />}
        </main>
        <div className="assistant-host" hidden={!isPanelOpen}>
          <Guard says={appStrings.guard.panel} className="guard-panel" save={() => void desk.save()}>
            <Assistant document={workspace.store} announcer={announcer} look={workspace.look} hide={hide} opened={setSession} handle={assistant} />
          </Guard>
        </div>
      </div>
      <Picker workspace={shown} />
      {isSheetOpen && <KeySheet close={() => setSheetOpen(false)} />}
      {question !== undefined && <Confirm title={appStrings.files.discardTitle} text={appStrings.files.discard} act={appStrings.files.discardAct} run={question} close={() => desk.question.set(undefined)} />}
      {drops && <div className="drop" aria-hidden="true">{appStrings.files.drop}</div>}
      <Notes announcer={announcer} />
    </WorkspaceContext>
  );
}

// something that is open or closed, as it was left
function useSwitch(name: string, atFirst: boolean): readonly [isOpen: boolean, set: (open: boolean) => void] {
  const [isOpen, setOpen] = useState(() => (remembered(name) ?? (atFirst ? "yes" : "no")) === "yes");
  const set = useCallback((open: boolean) => {
    remember(name, open);
    setOpen(open);
  }, [name]);
  return [isOpen, set];
}

// the mark in the title, and the browser's own question before the page is left
function useUnsaved(desk: Desk): boolean {
  const workspace = useCell(desk.workspace);
  const changes = useCell(workspace.changes);
  const saved = useCell(desk.savedAt);
  const title = useCell(workspace.model).metadata.title;
  const isUnsaved = changes !== saved;
  useEffect(() => {
    const { pageTitle, product, unsavedMark, untitled } = appStrings;
    document.title = say(pageTitle, { mark: isUnsaved ? unsavedMark : "", title: shorten(title, 80) || untitled, product });
  }, [isUnsaved, title]);
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [isUnsaved]);
  return isUnsaved;
}
