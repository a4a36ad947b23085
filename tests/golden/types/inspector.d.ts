/** A custom element that shows what the machine of a session holds, and lets a developer go back through it. No framework, no core. */
import { InspectorElement } from "./inspector/element.js";
export type { InspectorElement } from "./inspector/element.js";
export type { InspectedSession, PastState, Travel, TravelDetail } from "./inspector/session.js";
export { inspectorWords, type InspectorWords, type PartialInspectorWords } from "./inspector/words.js";
/** Defines `<countersign-inspector>`. A second time, and where there is no page (on a server), it does nothing. */
export declare function defineInspector(): void;
declare global {
    interface HTMLElementTagNameMap {
        "countersign-inspector": InspectorElement;
    }
    interface HTMLElementEventMap {
        "countersign-travel": CustomEvent<import("./inspector/session.js").TravelDetail>;
    }
}
