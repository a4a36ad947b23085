/** Every word the inspector says, in one place; here the terms of the machine are the right ones. `{n}` and the like are filled in. */
/** The words of the inspector, in English. */
export declare const inspectorWords: {
    title: string;
    noSession: string;
    none: string;
    yes: string;
    no: string;
    unlimited: string;
    reached: string;
    turn: string;
    mode: string;
    iteration: string;
    bound: string;
    notice: string;
    error: string;
    context: string;
    toolsDigest: string;
    current: string;
    phases: {
        label: string;
        idle: string;
        requesting: string;
        streaming: string;
        awaiting_approval: string;
        executing: string;
        settled: string;
    };
    outcomes: {
        completed: string;
        cancelled: string;
        bounded: string;
        failed: string;
    };
    budget: {
        title: string;
        used: string;
        requests: string;
        iterations: string;
        calls: string;
        callsThisIteration: string;
        retries: string;
        repeats: string;
        tokens: string;
        cost: string;
        deadline: string;
    };
    calls: {
        title: string;
        providerId: string;
        summary: string;
        effect: string;
        destructive: string;
        external: string;
        iteration: string;
        awaiting: string;
        inputDigest: string;
        effectDigest: string;
        stale: string;
        denial: string;
        code: string;
        input: string;
        result: string;
        expires: string;
        edited: string;
    };
    grants: {
        title: string;
        scope: string;
        call: string;
        iteration: string;
        inputDigest: string;
        effectDigest: string;
        revision: string;
        expires: string;
        consumed: string;
        spent: string;
        open: string;
        binding: string;
    };
    denials: {
        title: string;
        reason: string;
        note: string;
        inputDigest: string;
    };
    violations: {
        title: string;
        count: string;
        call: string;
    };
    log: {
        title: string;
        columns: string[];
        notRecorded: string;
        full: string;
        unreadable: string;
        event: string;
        command: string;
        feed: string;
        endStream: string;
        request: string;
        setTools: string;
        document: string;
        changes: string;
    };
    travel: {
        label: string;
        slider: string;
        start: string;
        back: string;
        forward: string;
        now: string;
        after: string;
        live: string;
        digest: string;
        failed: string;
        past: string;
    };
};
/** The words of the inspector. */
export type InspectorWords = typeof inspectorWords;
/** Some of them: what is left out stays as it is. */
export type PartialInspectorWords = {
    readonly [K in keyof InspectorWords]?: InspectorWords[K] extends string | readonly string[] ? InspectorWords[K] : Partial<InspectorWords[K]>;
};
/** All words, some of them replaced. */
export declare function wordsWith(some: PartialInspectorWords): InspectorWords;
/** A sentence with its places filled. */
export declare function filled(template: string, values: Readonly<Record<string, string | number>>): string;
