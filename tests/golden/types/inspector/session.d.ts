/** What the inspector asks of a session: the one of `createSession`, or anything shaped like it. Knows no core. */
import type { Json, TurnState } from "../engine/countersign.js";
/** A session as the inspector sees it. */
export interface InspectedSession {
    /** Everything there is to show to a person; only whether it changed is looked at. */
    readonly view: object;
    /** Tells `fn` that the view changed; returns how to stop. */
    subscribe(fn: () => void): () => void;
    /** The state of the current turn. */
    state(): TurnState;
    /** Everything that went into the conversation; throws where nothing is recorded. */
    recording?(): string;
    /** The session's clock, epoch milliseconds; the page's where it has none. */
    now?(): number;
}
/** How a session stood after some of its inputs. */
export interface PastState {
    /** The state of the turn. */
    readonly state: TurnState;
    /** The document, where there is one. */
    readonly document?: Json;
    /** The digest over both. */
    readonly digest: string;
}
/** Rebuilds a session as it stood after so many inputs of a recording: the host's part, by `replay`. */
export type Travel = (recording: string, inputs: number) => PastState;
/** What `countersign-travel` tells: the moment that is shown, or nothing once it is now again. */
export type TravelDetail = {
    readonly inputs: number;
    readonly state: TurnState;
    readonly document: Json | undefined;
} | null;
