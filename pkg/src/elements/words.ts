/** Every word the elements say, in one place. A host replaces some or all of them. `{n}` and the like are filled in. */

/** One and many of the same: `["1 flow", "{n} flows"]`. */
export type Plural = readonly [one: string, many: string];

/** Some of a table of words: what is left out stays as it is. */
export type PartialWords<T = ElementWords> = { readonly [K in keyof T]?: T[K] extends string | Plural ? T[K] : PartialWords<T[K]> };

/** The words of the elements. */
export type ElementWords = typeof elementWords;

const table = <T extends string | Plural>(words: Readonly<Record<string, T>> = {}): Readonly<Record<string, T>> => words;
const plural = (one: string, many: string): Plural => [one, many];
const reasons = (one: string, many: string, all: string): { readonly some: Plural; readonly all: string } => ({ some: [one, many], all });

/** The words of the elements, in English. */
export const elementWords = {
  /** A card. */
  card: {
    read: "Look",
    change: "Change",
    delete: "Delete",
    approve: "Approve",
    approveDelete: "Delete",
    deny: "Deny",
    more: "More choices",
    edit: "Edit",
    denyWithReason: "Deny with a reason",
    showInput: "Show the exact input",
    hideInput: "Hide the exact input",
    button: "{action}: {title}",
    key: "{action} ({key})",
    moreLines: "and {n} more",
    fewerLines: "Show less",
    hiddenLines: "{n} more that are not shown here",
    changesNothing: "This changes nothing in the document.",
    noPreview: "What this changes cannot be shown before it runs.",
    outside: "This acts outside the document and cannot be undone here.",
    cannot: "This would not work: {why}",
    previewing: "Working out what this would change",
    preparing: "Not ready to be decided yet",
    loses: "This deletes {list}.",
    staleDocument: "Changed meanwhile: {what}.",
    staleUnknown: "The document changed meanwhile. This is what it would do now.",
    staleCalls: "A change before this one turned out differently. This is what it would do now.",
    expires: "Expires in {n} s",
    choose: "Which one is meant?",
    use: "Use this one",
    chooseFirst: "Choose one first",
    candidate: "{section}, {id}",
  },

  /** The lines of what changes. */
  line: {
    added: "Added",
    removed: "Removed",
    changed: "Changed",
    field: "{field}:",
    of: "{title}:",
    nothing: "nothing",
    becomes: "becomes",
    movedBehind: "{title}: moved behind {other}",
    movedFirst: "{title}: moved to the front",
    alsoAdded: "Also adds {list}",
    alsoRemoved: "Also removes {list}",
    alsoChanged: "Also changes {list}",
    and: "{list} and {last}",
    comma: ", ",
    document: "the document",
  },

  /** Names of sections in words, by the section's name: `{ data_flows: ["flow", "flows"] }`; made of the name itself where nothing is said. */
  sections: table<Plural>(),
  /** Names of fields in words, by the field's name; made of the name itself where nothing is said. */
  fields: table<string>(),

  /** The exact input. */
  exact: {
    title: "Exact input of {tool}",
    answer: "What the assistant was told",
    hidden: "… {n} more …",
    whole: "Show all of it",
    part: "Show less",
  },

  /** Denying with a reason. */
  reason: {
    label: "Why not? The assistant reads this.",
    deny: "Deny",
    cancel: "Cancel",
  },

  /** The form. */
  form: {
    title: "Change it before you approve it",
    effect: "With this input",
    same: "This is what was proposed.",
    approve: "Approve this version",
    approveDelete: "Delete with this input",
    cancel: "Back",
    add: "Add",
    addTo: "Add to {field}",
    addField: "Add {field}",
    leaveOut: "Leave out",
    leaveOutField: "Leave out {field}",
    remove: "Remove",
    up: "Move up",
    down: "Move down",
    item: "{n}.",
    itemAction: "{action}: {field} {n}",
    yes: "Yes",
    no: "No",
    none: "None",
    variant: "Kind of {field}",
    option: "Option {n}",
    types: table({ string: "Text", number: "Number", integer: "Whole number", boolean: "Yes or no", array: "List", object: "Fields" }),
    keyName: "Name of the new field",
    addKey: "Add a field",
    notJson: "This is not JSON yet.",
    notNumber: "This is not a number.",
    checking: "Checking",
    fix: "Correct what is marked first",
    holds: "Holds characters that cannot be seen: {text}",
    input: "The input",
    json: "as JSON",
    problems: plural("1 thing to correct", "{n} things to correct"),
  },

  /** What became of a call. */
  outcome: {
    waiting: "Waiting for you",
    approved: "Approved",
    running: "Applying",
    applied: "Applied",
    done: "Done, nothing changed",
    deniedByYou: "Denied by you",
    deniedBecause: "Denied by you: {note}",
    edited: "{outcome}, as you edited it",
    stopped: "Not run: the turn was stopped",
    superseded: "Not run: you sent a new message",
    limit: "Not run: a limit of this turn was reached",
    expired: "Not run: nobody decided in time",
    unauthorized: "Not run: not allowed here",
    denied: "Not run",
    undone: "Undone",
    unknown: "Unknown: check before repeating",
    failed: "Failed: {why}",
    because: "{cause}: {why}",
    missing: "there is no {section} {id} now",
    acts: table({
      rejected: "Not possible: {why}",
      superseded: "Not run: a later change took its place",
      withdrawn: "Not run: it was taken back",
      no_change: "Not run: there was nothing to change",
    }),
    causes: table({
      unknown_tool: "the assistant asked for something that does not exist",
      invalid_arguments: "what the assistant wrote could not be used",
      unauthorized: "it is not allowed here",
      denied: "it was declined",
      approval_expired: "nobody decided in time",
      timeout: "it took too long",
      cancelled: "the turn was stopped",
      execution_failed: "it could not be done",
      invalid_output: "its result could not be used",
      output_too_large: "its result was too large",
      budget_exhausted: "a limit of this turn was reached",
      read_tool_mutated: "it tried to change what it may only read",
      document_changed: "the document changed under it",
      invalid_document: "it would have broken the document",
      outcome_unknown: "it was cut off",
    }),
  },

  /** Why a decision was not taken. */
  refused: {
    changed: "This changed while you decided. Look at it again, then decide.",
    decided: "This is decided already.",
    told: "That did not work: {why}",
    other: "That did not work. Look at it again, then decide.",
  },

  /** Cards of one message. */
  group: {
    waiting: plural("1 change waiting", "{n} changes waiting"),
    approveAll: "Approve all {n}",
    approveAllHint: "Approve these {n} changes together",
    nextHint: "Go to the next one",
    destructive: plural("1 is left out: it deletes something and is approved alone.", "{n} are left out: each deletes something and is approved alone."),
    choosing: plural("1 is left out: it needs your choice first.", "{n} are left out: they need your choice first."),
    failing: plural("1 is left out: it would not work.", "{n} are left out: they would not work."),
    previewing: plural("1 is left out: what it would change is still being worked out.", "{n} are left out: what they would change is still being worked out."),
    oneByOne: "Each is decided by itself: {why}.",
    notYet: "Not to be approved together yet: {why}.",
    why: {
      destructive: reasons("1 deletes something", "{n} delete something", "all of them delete something"),
      choosing: reasons("1 needs your choice first", "{n} need your choice first", "all of them need your choice first"),
      previewing: reasons("1 is still being worked out", "{n} are still being worked out", "all of them are still being worked out"),
      failing: reasons("1 would not work", "{n} would not work", "none of them would work"),
    },
    reads: plural("Looked at 1 thing", "Looked at {n} things"),
    looking: plural("Looking at 1 thing", "Looking at {n} things"),
    proposed: "Proposed changes",
  },

  /** The end of a turn. */
  receipt: {
    applied: plural("1 change applied", "{n} changes applied"),
    undone: plural("1 change undone", "{n} changes undone"),
    denied: "{n} denied",
    failed: "{n} failed",
    notRun: "{n} not run",
    unknown: "{n} to check",
    undo: "Undo this turn",
    undoHint: "Take back everything this turn changed",
    superseded: "It can no longer be undone: you edited after it",
    older: "A later turn changed the document after it",
    alreadyUndone: "It is undone already",
    stopped: "Stopped by you. What had arrived stays.",
    supersededNote: "Set aside: you sent a new message.",
    retry: "Try again",
    details: "In detail",
  },

  /** The conversation. */
  transcript: {
    label: "Conversation with the assistant",
    you: "You",
    assistant: "The assistant",
    thinking: "The assistant is thinking",
    below: "New below",
    empty: "Ask for a change. Nothing in the document changes before you approve it.",
  },

  /** Where the turn is, in a word. */
  status: { ready: "Ready", thinking: "Thinking", writing: "Writing", waiting: "Waiting for you", applying: "Applying", stopped: "Stopped" },

  /** Where a person writes. */
  composer: {
    label: "Message to the assistant",
    placeholder: "Ask for a change",
    send: "Send",
    sendHint: "Send (Enter)",
    stop: "Stop",
    stopHint: "Stop the assistant",
    empty: "Write a message first",
    supersedes: "Sending sets the waiting changes aside; none of them is applied.",
    noSession: "The assistant is not connected yet",
    disabled: "The assistant is not available now",
    failed: "The message could not be sent: {why}",
  },

  /** What is said to screen readers. */
  announce: {
    waiting: plural("1 change is waiting for you", "{n} changes are waiting for you"),
    changed: "{title} would do something else now",
    outcome: "{title}: {outcome}",
    finished: "The assistant has finished.",
    stopped: "Stopped",
  },

  /** What failed and what to do next, by the error's code; the error's own sentence where nothing is said. */
  errors: table({
    unsupported_capability: "This model cannot propose changes. Choose another one.",
    no_api_key: "No key is set for the assistant. Add one, then try again.",
    http_status: "The assistant could not answer. Nothing was lost; try again.",
    rate_limited: "The assistant is asked too often right now. Wait a moment, then try again.",
    overloaded: "The assistant is overloaded right now. Wait a moment, then try again.",
    transport: "The connection to the assistant broke. Nothing was lost; try again.",
    malformed_stream: "The answer could not be read. Nothing was lost; try again.",
    truncated_stream: "The answer ended halfway. What had arrived stays; try again.",
    protocol_violation: "The assistant answered in a way that makes no sense. Try again.",
    context_overflow: "The conversation is too long for the assistant. Start a new one.",
    limit_exceeded: "The answer was too large and was cut. Ask for less at once.",
    cancelled: "The request was stopped.",
  }),

  /** The keys, as they stand in tooltips. */
  keys: { approve: "A", deny: "D", undo: "U", next: "J" },
};

/** The words with some of them replaced. */
export function withWords(some: PartialWords | undefined, base: ElementWords = elementWords): ElementWords {
  return some === undefined ? base : (merged(base, some) as ElementWords);
}

/** `{n}` and the like filled in. */
export function say(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replace(/\{([a-zA-Z]+)\}/g, (whole, key: string) => (Object.hasOwn(values, key) ? String(values[key]) : whole));
}

/** "1 change", "3 changes". */
export function count(n: number, forms: Plural): string {
  return say(n === 1 ? forms[0] : forms[1], { n });
}

/** "a", "a and b", "a, b and c". */
export function listed(items: readonly string[], words: ElementWords): string {
  if (items.length < 2) return items[0] ?? "";
  return say(words.line.and, { list: items.slice(0, -1).join(words.line.comma), last: items.at(-1) ?? "" });
}

/** The word of a table for a key that somebody else chose; nothing for what a table only inherits, such as `constructor`. */
export function wordFor<T>(words: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(words, key) ? words[key] : undefined;
}

function merged(base: unknown, some: unknown): unknown {
  if (typeof base !== "object" || base === null || Array.isArray(base) || typeof some !== "object" || some === null) return some ?? base;
  const made: Record<string, unknown> = Object.assign(Object.create(null), base);
  for (const [key, value] of Object.entries(some)) made[key] = merged(made[key], value);
  return made;
}
