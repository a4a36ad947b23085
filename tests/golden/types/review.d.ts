/** What a person reads of a review, for a host that draws it itself: turns, outcomes, receipts, what is approved together. Draws nothing. No framework, no core. */
export { outcomeOf, problemOf, receiptOf, statusOf, toneOf } from "./elements/facts.js";
export { isApprovedTogether, whyNotTogether } from "./elements/together.js";
export { isSuperseded, Turns, type Piece, type Turn, type TurnEnd } from "./elements/turns.js";
export { elementWords, withWords, type ElementWords, type PartialWords, type Plural } from "./elements/words.js";
