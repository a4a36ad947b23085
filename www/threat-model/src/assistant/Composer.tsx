// Where the person writes. Enters: the phase. Leaves: a message to send, or a stop; one main button at a time.

import { memo, useImperativeHandle, useLayoutEffect, useRef, useState, type KeyboardEvent, type Ref } from "react";

import { strings, type Suggestion } from "../strings/assistant.ts";
import { Icon } from "../Icon.tsx";
import { MenuButton } from "./Menu.tsx";

const TALLEST = 160;

/** What the composer has to know of the turn. */
export type ComposerState = "ready" | "running" | "waiting";

/** What the panel asks of the composer. */
export interface ComposerHandle {
  /** Puts the cursor there. */
  focus(): void;
}

/** What the composer is given. */
export interface ComposerProps {
  readonly state: ComposerState;
  readonly suggestions: readonly Suggestion[];
  readonly send: (text: string) => void;
  readonly stop: () => void;
  readonly handle: Ref<ComposerHandle>;
}

/** The foot of the panel. */
export const Composer = memo(function Composer({ state, suggestions, send, stop, handle }: ComposerProps) {
  const [text, setText] = useState("");
  const input = useRef<HTMLTextAreaElement>(null);
  const sendButton = useRef<HTMLButtonElement>(null);
  const stopButton = useRef<HTMLButtonElement>(null);
  const written = text.trim() !== "";
  // while changes wait, a written message is the one main action and sets them aside; otherwise stopping is
  const stops = state === "running" || (state === "waiting" && !written);
  useImperativeHandle(handle, () => ({ focus: () => input.current?.focus() }), []);
  useLayoutEffect(() => {
    const node = input.current;
    if (node === null) return;
    // as tall as what is written, up to a few lines
    node.style.height = "";
    if (text !== "") node.style.height = `${Math.min(node.scrollHeight, TALLEST)}px`;
  }, [text]);
  useLayoutEffect(() => {
    // the button that had the focus is gone; the focus goes to where the person writes
    const gone = stops ? sendButton.current : stopButton.current;
    if (document.activeElement === gone && gone !== null) input.current?.focus();
  }, [stops]);
  const submit = (): void => {
    if (!written || state === "running") return;
    setText("");
    send(text.trim());
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    submit();
  };
  const choose = (suggestion: Suggestion): void => {
    if (state === "ready") send(suggestion.text);
    input.current?.focus();
  };
  return (
    <div className="composer">
      {state === "waiting" && written && <p className="composer-hint">{strings.composer.supersedes}</p>}
      <div className="composer-box">
        {state === "ready" && (
          <MenuButton className="icon-button examples" label={strings.composer.examples} items={suggestions.map((suggestion) => ({ label: suggestion.label, hint: suggestion.hint, run: () => choose(suggestion) }))}>
            <Icon name="spark" />
          </MenuButton>
        )}
        <textarea ref={input} className="composer-input" rows={1} dir="auto" aria-label={strings.composer.label} placeholder={strings.composer.placeholder} value={text} onChange={(event) => setText(event.target.value)} onKeyDown={key} />
        <button ref={sendButton} type="button" className="round primary" hidden={stops} aria-label={strings.composer.send} aria-disabled={written ? undefined : true} data-tip={written ? strings.composer.sendTip : strings.composer.emptyTip} data-key={strings.keys.send} onClick={submit}>
          <Icon name="send" />
        </button>
        <button ref={stopButton} type="button" className="round" hidden={!stops} aria-label={strings.composer.stop} data-tip={strings.composer.stopTip} onClick={stop}>
          <Icon name="stop" />
          <span>{strings.composer.stop}</span>
        </button>
      </div>
    </div>
  );
});
