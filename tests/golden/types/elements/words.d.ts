/** Every word the elements say, in one place. A host replaces some or all of them. `{n}` and the like are filled in. */
/** One and many of the same: `["1 flow", "{n} flows"]`. */
export type Plural = readonly [one: string, many: string];
/** Some of a table of words: what is left out stays as it is. */
export type PartialWords<T = ElementWords> = {
    readonly [K in keyof T]?: T[K] extends string | Plural ? T[K] : PartialWords<T[K]>;
};
/** The words of the elements. */
export type ElementWords = typeof elementWords;
/** The words of the elements, in English. */
export declare const elementWords: {
    /** A card. */
    card: {
        read: string;
        change: string;
        delete: string;
        approve: string;
        approveDelete: string;
        deny: string;
        more: string;
        edit: string;
        denyWithReason: string;
        showInput: string;
        hideInput: string;
        button: string;
        key: string;
        moreLines: string;
        fewerLines: string;
        hiddenLines: string;
        changesNothing: string;
        noPreview: string;
        outside: string;
        cannot: string;
        previewing: string;
        preparing: string;
        loses: string;
        staleDocument: string;
        staleUnknown: string;
        staleCalls: string;
        expires: string;
        choose: string;
        use: string;
        chooseFirst: string;
        candidate: string;
    };
    /** The lines of what changes. */
    line: {
        added: string;
        removed: string;
        changed: string;
        field: string;
        of: string;
        nothing: string;
        becomes: string;
        movedBehind: string;
        movedFirst: string;
        alsoAdded: string;
        alsoRemoved: string;
        alsoChanged: string;
        and: string;
        comma: string;
        document: string;
    };
    /** Names of sections in words, by the section's name: `{ data_flows: ["flow", "flows"] }`; made of the name itself where nothing is said. */
    sections: Readonly<Record<string, Plural>>;
    /** Names of fields in words, by the field's name; made of the name itself where nothing is said. */
    fields: Readonly<Record<string, string>>;
    /** The exact input. */
    exact: {
        title: string;
        answer: string;
        hidden: string;
        whole: string;
        part: string;
    };
    /** Denying with a reason. */
    reason: {
        label: string;
        deny: string;
        cancel: string;
    };
    /** The form. */
    form: {
        title: string;
        effect: string;
        same: string;
        approve: string;
        approveDelete: string;
        cancel: string;
        add: string;
        addTo: string;
        addField: string;
        leaveOut: string;
        leaveOutField: string;
        remove: string;
        up: string;
        down: string;
        item: string;
        itemAction: string;
        yes: string;
        no: string;
        none: string;
        variant: string;
        option: string;
        types: Readonly<Record<string, "Fields" | "List" | "Number" | "Text" | "Whole number" | "Yes or no">>;
        keyName: string;
        addKey: string;
        notJson: string;
        notNumber: string;
        checking: string;
        fix: string;
        holds: string;
        input: string;
        json: string;
        problems: Plural;
    };
    /** What became of a call. */
    outcome: {
        waiting: string;
        approved: string;
        running: string;
        applied: string;
        done: string;
        deniedByYou: string;
        deniedBecause: string;
        edited: string;
        stopped: string;
        superseded: string;
        limit: string;
        expired: string;
        unauthorized: string;
        denied: string;
        undone: string;
        unknown: string;
        failed: string;
        because: string;
        missing: string;
        acts: Readonly<Record<string, "Not possible: {why}" | "Not run: a later change took its place" | "Not run: it was taken back" | "Not run: there was nothing to change">>;
        causes: Readonly<Record<string, "a limit of this turn was reached" | "it could not be done" | "it is not allowed here" | "it took too long" | "it tried to change what it may only read" | "it was cut off" | "it was declined" | "it would have broken the document" | "its result could not be used" | "its result was too large" | "nobody decided in time" | "the assistant asked for something that does not exist" | "the document changed under it" | "the turn was stopped" | "what the assistant wrote could not be used">>;
    };
    /** Why a decision was not taken. */
    refused: {
        changed: string;
        decided: string;
        told: string;
        other: string;
    };
    /** Cards of one message. */
    group: {
        waiting: Plural;
        approveAll: string;
        approveAllHint: string;
        nextHint: string;
        destructive: Plural;
        choosing: Plural;
        failing: Plural;
        previewing: Plural;
        oneByOne: string;
        notYet: string;
        why: {
            destructive: {
                readonly some: Plural;
                readonly all: string;
            };
            choosing: {
                readonly some: Plural;
                readonly all: string;
            };
            previewing: {
                readonly some: Plural;
                readonly all: string;
            };
            failing: {
                readonly some: Plural;
                readonly all: string;
            };
        };
        reads: Plural;
        looking: Plural;
        proposed: string;
    };
    /** The end of a turn. */
    receipt: {
        applied: Plural;
        undone: Plural;
        denied: string;
        failed: string;
        notRun: string;
        unknown: string;
        undo: string;
        undoHint: string;
        superseded: string;
        older: string;
        alreadyUndone: string;
        stopped: string;
        supersededNote: string;
        retry: string;
        details: string;
    };
    /** The conversation. */
    transcript: {
        label: string;
        you: string;
        assistant: string;
        thinking: string;
        below: string;
        empty: string;
    };
    /** Where the turn is, in a word. */
    status: {
        ready: string;
        thinking: string;
        writing: string;
        waiting: string;
        applying: string;
        stopped: string;
    };
    /** Where a person writes. */
    composer: {
        label: string;
        placeholder: string;
        send: string;
        sendHint: string;
        stop: string;
        stopHint: string;
        empty: string;
        supersedes: string;
        noSession: string;
        disabled: string;
        failed: string;
    };
    /** What is said to screen readers. */
    announce: {
        waiting: Plural;
        changed: string;
        outcome: string;
        finished: string;
        stopped: string;
    };
    /** What failed and what to do next, by the error's code; the error's own sentence where nothing is said. */
    errors: Readonly<Record<string, "No key is set for the assistant. Add one, then try again." | "The answer could not be read. Nothing was lost; try again." | "The answer ended halfway. What had arrived stays; try again." | "The answer was too large and was cut. Ask for less at once." | "The assistant answered in a way that makes no sense. Try again." | "The assistant could not answer. Nothing was lost; try again." | "The assistant is asked too often right now. Wait a moment, then try again." | "The assistant is overloaded right now. Wait a moment, then try again." | "The connection to the assistant broke. Nothing was lost; try again." | "The conversation is too long for the assistant. Start a new one." | "The request was stopped." | "This model cannot propose changes. Choose another one.">>;
    /** The keys, as they stand in tooltips. */
    keys: {
        approve: string;
        deny: string;
        undo: string;
        next: string;
    };
};
/** The words with some of them replaced. */
export declare function withWords(some: PartialWords | undefined, base?: ElementWords): ElementWords;
/** `{n}` and the like filled in. */
export declare function say(template: string, values: Readonly<Record<string, string | number>>): string;
/** "1 change", "3 changes". */
export declare function count(n: number, forms: Plural): string;
/** "a", "a and b", "a, b and c". */
export declare function listed(items: readonly string[], words: ElementWords): string;
/** The word of a table for a key that somebody else chose; nothing for what a table only inherits, such as `constructor`. */
export declare function wordFor<T>(words: Readonly<Record<string, T>>, key: string): T | undefined;
