// The bar at the top: the document's name, its file, the history, and what helps to find one's way.

import type { ReactNode } from "react";

import { useCell, useCellPart } from "../cell.ts";
import type { Workspace } from "../editor/workspace.tsx";
import { Icon } from "../Icon.tsx";
import { appStrings, keyName } from "../strings/app.ts";
import { say, shorten } from "../text.ts";
import { ToolButton } from "./ToolButton.tsx";

const words = appStrings.top;
const keys = appStrings.keys;

/** What the bar can do. */
export interface TopBarProps {
  readonly workspace: Workspace;
  readonly isUnsaved: boolean;
  readonly isPanelOpen: boolean;
  readonly isInspecting: boolean;
  /** Whether the past is on the drawing. */
  readonly isPast: boolean;
  newFile(): void;
  openFile(): void;
  saveFile(): void;
  find(): void;
  help(): void;
  inspect(): void;
  togglePanel(): void;
}

/** The bar at the top. */
export function TopBar({ workspace, isUnsaved, isPanelOpen, isInspecting, isPast, newFile, openFile, saveFile, find, help, inspect, togglePanel }: TopBarProps): ReactNode {
  const title = useCellPart(workspace.model, (model) => model.metadata.title);
  const { undo, redo } = useCell(workspace.steps);
  return (
    <header className="topbar">
      <span className="brand">
        <span className="brand-mark" aria-hidden="true"><Icon name="check" /></span>
        <span className="brand-name">{appStrings.product}</span>
      </span>
      <h1 className="doc-title" dir="auto">{shorten(title, 80) || appStrings.untitled}</h1>
      {isUnsaved && <span className="unsaved" data-tip={words.unsaved} aria-label={words.unsaved} role="img" />}
      <span className="spacer" />
      <ToolButton icon="file" label={words.new} tip={words.newTip} run={newFile} />
      <ToolButton icon="open" label={words.open} tip={words.openTip} shortcut={keys.open} run={openFile} />
      <ToolButton icon="save" label={words.save} tip={words.saveTip} shortcut={keys.save} run={saveFile} />
      <span className="bar-gap" />
      <ToolButton icon="undo" label={words.undo} tip={undo === undefined ? "" : say(words.undoTip, { label: undo })} shortcut={keys.undo} why={isPast ? appStrings.past.backFirst : undo === undefined ? words.nothingToUndo : undefined} run={() => workspace.undo()} />
      <ToolButton icon="redo" label={words.redo} tip={words.redoTip} shortcut={keys.redo} why={isPast ? appStrings.past.backFirst : redo ? undefined : words.nothingToRedo} run={() => workspace.redo()} />
      <span className="bar-gap" />
      <ToolButton icon="find" label={words.find} tip={words.findTip} shortcut={keys.find} run={find} />
      <ToolButton icon="history" label={words.inspector} shortcut={keys.inspector} isOn={isInspecting} run={inspect} />
      <ToolButton icon="help" label={words.shortcuts} tip={words.shortcutsTip} shortcut={keys.help} run={help} />
      <button className="button quiet toggle" type="button" aria-controls="assistant" aria-expanded={isPanelOpen} data-tip={isPanelOpen ? words.hidePanel : words.showPanel} data-key={keyName(keys.panel)} onClick={togglePanel}>
        <Icon name="panel" />
        <span className="button-word">{words.assistant}</span>
      </button>
    </header>
  );
}
