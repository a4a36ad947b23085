/** Custom elements for the review of changes: a card, the conversation, and where a person writes. No framework, no core; any session will do. */
import { CardElement } from "./elements/card.js";
import { ComposerElement } from "./elements/composer.js";
import { TranscriptElement } from "./elements/transcript.js";
import { type PartialWords } from "./elements/words.js";
export type { CardElement } from "./elements/card.js";
export type { PreviewDetail } from "./elements/looking.js";
export type { ComposerElement } from "./elements/composer.js";
export type { TranscriptElement } from "./elements/transcript.js";
export type { DecisionDetail, ElementBatch, ElementDecision, ElementPreview, ElementSession } from "./elements/session.js";
export { statusOf } from "./elements/facts.js";
export { visible } from "./elements/text.js";
export { elementWords, withWords, type ElementWords, type PartialWords, type Plural } from "./elements/words.js";
/** How the elements are defined. */
export interface DefineOptions {
    /** Words in place of the elements' own; those that are left out stay. */
    readonly words?: PartialWords;
}
/**
 * Defines `<countersign-card>`, `<countersign-transcript>` and `<countersign-composer>`. A second time it only sets the words of elements made
 * from then on; where there is no page (on a server) it does nothing.
 */
export declare function defineElements(options?: DefineOptions): void;
declare global {
    interface HTMLElementTagNameMap {
        "countersign-card": CardElement;
        "countersign-transcript": TranscriptElement;
        "countersign-composer": ComposerElement;
    }
    interface HTMLElementEventMap {
        "countersign-preview": CustomEvent<import("./elements/looking.js").PreviewDetail>;
        "countersign-decision": CustomEvent<import("./elements/session.js").DecisionDetail>;
        "countersign-send": CustomEvent<{
            readonly text: string;
        }>;
        "countersign-retry": CustomEvent<{
            readonly text: string;
        }>;
    }
}
