// The words of the page around the editor, and those that several parts share. Braces are filled in by `fill`, `say`
// and `count`; pairs are [one, many].

/** One and many of the same. */
const pair = (one: string, many: string): readonly [one: string, many: string] => [one, many];

/** The words of the page. */
export const appStrings = {
  product: "Countersign",
  pageTitle: "{mark}{title} – {product}",
  unsavedMark: "• ",
  loading: "Opening the document…",
  loadFailed: "The page could not start. Reload it; if that does not help, check that the server still runs.",
  and: "{list} and {last}",
  hiddenCharacters: "… ({n} more characters) …",
  missing: "{id} (not in the document)",
  untitled: "Untitled",
  unnamedFlow: "{from} → {to}",
  close: "Close",
  cancel: "Cancel",

  top: {
    new: "New",
    newTip: "Start an empty threat model",
    open: "Open",
    openTip: "Open a threat model file",
    save: "Save",
    saveTip: "Save the threat model as a file",
    find: "Find",
    findTip: "Find an element, a flow, a boundary or a threat",
    undo: "Undo",
    redo: "Redo",
    undoTip: "Undo {label}",
    redoTip: "Redo the change that was undone",
    nothingToUndo: "Nothing to undo",
    nothingToRedo: "Nothing to redo",
    shortcuts: "Keys",
    shortcutsTip: "Show every key",
    inspector: "What happened",
    assistant: "Assistant",
    hidePanel: "Hide the assistant",
    showPanel: "Show the assistant",
    undone: "Undone: {label}",
    redone: "Done again",
    assistantChange: "the assistant’s changes",
    unsaved: "Not saved yet",
  },
  guard: {
    app: "The page could not be drawn. Your document is still here: save it, then reload the page.",
    panel: "The assistant could not be drawn. Your document is untouched, and you can go on editing it.",
    save: "Save",
    again: "Try again",
    reload: "Reload",
  },
  past: {
    at: "Looking at the past: step {n} of {m}",
    back: "Back to now",
    backFirst: "Go back to now first",
    hide: "Hide what happened",
  },
  panelWidth: "Width of the assistant panel",
  drawerHeight: "Height of the details",

  files: {
    newTitle: "New threat model",
    type: "Threat model",
    saved: "Saved as {name}",
    saveFailed: "{name} could not be saved: {why}",
    opened: "Opened {name}",
    openedFaulty: pair("Opened {name}. One thing in it does not hold: {why}", "Opened {name}. {n} things in it do not hold, the first: {why}"),
    openFailed: "{name} could not be opened: {why}",
    drop: "Drop the file to open it",
    wrongKind: "{name} is no threat model file; those end in .thf, .yaml or .yml.",
    tooLarge: "{name} is larger than 8 MB.",
    unreadable: "the browser could not read it",
    discardTitle: "Leave without saving?",
    discard: "What you changed since the last save would be lost.",
    discardAct: "Leave without saving",
  },

  picker: {
    find: "Find by name",
    findTitle: "Find",
    connectTitle: "Connect {name} to",
    targetTitle: "What does this threat concern?",
    memberTitle: "Add to {name}",
    endTitle: "Choose an element",
    none: "Nothing has this name.",
    more: pair("and {n} more; type to narrow it down", "and {n} more; type to narrow them down"),
    noTarget: "Nothing in particular",
    kinds: { elements: "Element", data_flows: "Data flow", trust_boundaries: "Trust boundary", threats: "Threat", relationships: "Relationship", layers: "Layer", groups: "Group", diagrams: "Diagram" },
  },

  // by the document's own names for its sections
  sections: {
    elements: pair("{n} element", "{n} elements"),
    data_flows: pair("{n} data flow", "{n} data flows"),
    trust_boundaries: pair("{n} trust boundary", "{n} trust boundaries"),
    threats: pair("{n} threat", "{n} threats"),
    relationships: pair("{n} relationship", "{n} relationships"),
    layers: pair("{n} layer", "{n} layers"),
    groups: pair("{n} group", "{n} groups"),
    diagrams: pair("{n} diagram", "{n} diagrams"),
  },

  severities: { critical: "Critical", high: "High", medium: "Medium", low: "Low", info: "Info" } as Record<string, string>,
  mitigations: {
    not_started: "Not started",
    in_progress: "In progress",
    mitigated: "Mitigated",
    accepted: "Accepted",
    transferred: "Transferred",
  } as Record<string, string>,

  sheet: {
    title: "Keys",
    lead: "None of them acts while you type.",
    groups: [
      {
        name: "On the drawing",
        keys: [
          ["Tab", "Go through elements, flows and boundaries"],
          ["Alt+Arrows", "Go to the next element in that direction"],
          ["Arrows", "Move what is selected; with Shift in small steps"],
          ["Ctrl+Arrows", "Make a boundary larger or smaller"],
          ["Space", "Add to the selection, or take out of it"],
          ["Enter or F2", "Rename"],
          ["N", "New element"],
          ["B", "New trust boundary, around the selection"],
          ["C", "Connect to another element"],
          ["T", "New threat on what is selected"],
          ["Ctrl+D", "Duplicate"],
          ["Ctrl+A", "Select everything"],
          ["Delete", "Delete"],
          ["Esc", "Let go"],
        ],
      },
      {
        name: "The view",
        keys: [
          ["+ and −", "Zoom in and out"],
          ["0", "Fit everything"],
          ["G", "Snap to the grid, or not"],
          ["M", "Show or hide the map"],
          ["Shift+drag", "Select an area"],
        ],
      },
      {
        name: "Everywhere",
        keys: [
          ["Ctrl+Z", "Undo"],
          ["Ctrl+Shift+Z", "Redo, also Ctrl+Y"],
          ["Ctrl+F", "Find by name"],
          ["Ctrl+O", "Open a file"],
          ["Ctrl+S", "Save"],
          ["F6", "Go to the next part of the page"],
          ["I", "Show or hide what happened, step by step"],
          ["?", "Show this list"],
        ],
      },
      {
        name: "The assistant",
        keys: [
          ["J", "Next change that waits"],
          ["A", "Approve it"],
          ["D", "Deny it"],
          ["U", "Undo the turn"],
        ],
      },
    ] as readonly { readonly name: string; readonly keys: readonly (readonly [key: string, what: string])[] }[],
  },

  keys: {
    panel: "F6",
    undo: "Ctrl+Z",
    redo: "Ctrl+Shift+Z",
    open: "Ctrl+O",
    save: "Ctrl+S",
    find: "Ctrl+F",
    help: "?",
    inspector: "I",
  },
};

/** A key as this machine's people know it. */
export function keyName(key: string): string {
  const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
  return isMac ? key.replace("Ctrl+Shift+", "⇧⌘").replace("Ctrl+", "⌘").replace("Alt+", "⌥") : key;
}
