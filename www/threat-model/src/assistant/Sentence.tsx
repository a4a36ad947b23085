// Sentences with foreign names in them, and text that grows. Enters: parts, text. Leaves: text nodes alone: there is no
// markup from strings here, and nothing in an answer becomes a link.

import { memo, useLayoutEffect, useRef } from "react";

import { shownLines, type Part } from "../text.ts";

/** A sentence whose foreign names stand out and cannot turn the words around them. */
export function Sentence({ parts }: { readonly parts: readonly Part[] }) {
  return parts.map((part, at) => (typeof part === "string" ? part : <bdi className="name" key={at}>{part.name}</bdi>));
}

/** Text that only ever grows while it streams: what stands is not touched, so a selection in it survives. */
export const Growing = memo(function Growing({ text }: { readonly text: string }) {
  const place = useRef<HTMLParagraphElement>(null);
  const drawn = useRef("");
  useLayoutEffect(() => {
    const node = place.current;
    if (node === null) return;
    const first = node.firstChild;
    if (first instanceof Text && drawn.current !== "" && text.startsWith(drawn.current)) {
      if (text.length > drawn.current.length) first.appendData(shownLines(text.slice(drawn.current.length)));
    } else node.textContent = shownLines(text);
    drawn.current = text;
  }, [text]);
  return <p dir="auto" ref={place} />;
});
