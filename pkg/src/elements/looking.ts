/** Which card a person looks at, so that a page can draw what it would change. Enters: hands, focus and what the card shows. Leaves: `countersign-preview`. */

import type { CallRecord, Preview } from "#engine/types";

/** What `countersign-preview` tells: the card that a person looks at, or that they look at none. */
export type PreviewDetail = { readonly callId: string; readonly preview: Preview | null; readonly call: CallRecord } | null;

// all cards that are looked at, the one most lately last: a hand may be on one while another has the focus
const looked = new Set<Looking>();

/** Watches one card. */
export class Looking {
  readonly #by = { focus: false, pointer: false };
  #call: CallRecord | undefined;
  #preview: Preview | null = null;
  #told: PreviewDetail = null;
  #way: readonly Node[] = [];

  constructor(private readonly card: HTMLElement) {}

  /** The card came into a page. */
  connected(): void {
    this.#way = [this.card.parentNode, this.card.getRootNode()].filter((node): node is Node => node !== null);
  }

  /** The card left: what it proposed is no longer looked at. */
  end(): void {
    this.#by.focus = this.#by.pointer = false;
    this.#tell();
  }

  /** A hand or the focus came or went. */
  set(by: "focus" | "pointer", isIn: boolean): void {
    this.#by[by] = isIn;
    this.#tell();
  }

  /** What the card shows now; only what is not decided or not done yet is a proposal. */
  at(call: CallRecord | undefined, preview: Preview | null): void {
    this.#call = call?.status === "pending" || call?.status === "approved" ? call : undefined;
    this.#preview = preview;
    this.#tell();
  }

  #tell(): void {
    const call = this.#by.focus || this.#by.pointer ? this.#call : undefined;
    const told = this.#told;
    if (call === undefined ? told === null : told !== null && told.callId === call.id && told.preview === this.#preview && told.call === call) return;
    this.#told = call === undefined ? null : { callId: call.id, preview: this.#preview, call };
    looked.delete(this);
    if (call !== undefined) looked.add(this);
    this.#say();
    // what one card no longer shows, another that is looked at still does
    const [other] = call === undefined ? [...looked].filter(({ card }) => card.ownerDocument === this.card.ownerDocument).slice(-1) : [];
    if (other !== undefined) other.#say();
  }

  #say(): void {
    // a card that has left the page tells it from where it stood
    const from = this.card.isConnected ? this.card : this.#way.find((node) => node.isConnected);
    from?.dispatchEvent(new CustomEvent<PreviewDetail>("countersign-preview", { bubbles: true, composed: true, detail: this.#told }));
  }
}
