// The conversation on screen. Enters: turns. Leaves: text, what was looked at, cards and endings in their order. Follows
// new text only while the person is at its end; otherwise it says so and stays.

import { Fragment, memo, useCallback, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState, type ReactNode, type Ref } from "react";

import { strings } from "../strings/assistant.ts";
import { Ending, type UndoState } from "./Ending.tsx";
import { Group, Reads } from "./Group.tsx";
import { Icon } from "../Icon.tsx";
import { Growing } from "./Sentence.tsx";
import type { Mark } from "./talk.ts";
import type { Turn } from "./turns.ts";

const NEAR_END = 24;
const GROUP_GAP = 8;

/** What the panel asks of the transcript. */
export interface TranscriptHandle {
  /** Goes to the end, and follows from there. */
  toEnd(): void;
}

/** The conversation as it is drawn at one moment. */
export interface Talked {
  readonly turns: readonly Turn[];
  readonly marks: readonly Mark[];
  readonly thinking: boolean;
  readonly undo: UndoState;
  /** The newest turn that changed something. */
  readonly newest: Turn | undefined;
}

/** What the transcript shows. */
export interface TranscriptProps {
  readonly talked: Talked;
  /** What stands there before anything was said. */
  readonly welcome: ReactNode;
  readonly handle: Ref<TranscriptHandle>;
}

/** The scrolling part of the panel. */
export const Transcript = memo(function Transcript({ talked: { turns, marks, thinking, undo, newest }, welcome, handle }: TranscriptProps) {
  const scroll = useRef<HTMLDivElement>(null);
  const log = useRef<HTMLDivElement>(null);
  const { below, follow, scrolled, toEnd } = useFollowing(scroll, log);
  useImperativeHandle(handle, () => ({ toEnd }), [toEnd]);
  const said = useRef("");
  useLayoutEffect(() => {
    const now = saidSoFar(turns);
    follow(now !== said.current);
    said.current = now;
  }, [follow, turns, thinking]);
  return (
    <div className="transcript">
      <div className="scroll" tabIndex={-1} ref={scroll} onScroll={scrolled}>
        {turns.length === 0 && welcome}
        <div className="log" role="log" aria-live="off" aria-label={strings.panel.log} ref={log}>
          {turns.map((turn, number) => (
            <Fragment key={turn.key}>
              <Marks marks={marks} before={number} />
              <TurnView turn={turn} thinking={thinking && turn.isLast} undo={turn === newest ? undo : "older"} />
            </Fragment>
          ))}
          <Marks marks={marks} before={turns.length} />
        </div>
      </div>
      {below && <button type="button" className="below" onClick={toEnd}><Icon name="arrow" />{strings.panel.newBelow}</button>}
    </div>
  );
});

const TurnView = memo(function TurnView({ turn, thinking, undo }: { readonly turn: Turn; readonly thinking: boolean; readonly undo: UndoState }) {
  const cut = turn.end?.outcome === "cancelled" ? turn.pieces.at(-1) : undefined;
  return (
    <>
      <div className="asked">
        <span className="sr">{`${strings.panel.you}: `}</span>
        <Growing text={turn.asked} />
      </div>
      {turn.pieces.map((piece) => {
        if (piece.kind === "reads") return <Reads key={piece.key} calls={piece.calls} />;
        if (piece.kind === "group") return <Group key={piece.key} calls={piece.calls} />;
        return (
          <div key={piece.key} className="said" data-cut={piece === cut ? "" : undefined}>
            <span className="sr">{`${strings.panel.assistant}: `}</span>
            <Growing text={piece.text} />
          </div>
        );
      })}
      {thinking && <div className="thinking" role="img" aria-label={strings.panel.thinking}><i /><i /><i /></div>}
      {turn.end !== undefined && <Ending turn={turn} end={turn.end} undo={undo} />}
    </>
  );
});

// what makes "new below" true: more was said, asked or done, not a card that says something else
function saidSoFar(turns: readonly Turn[]): string {
  const turn = turns.at(-1);
  const piece = turn?.pieces.at(-1);
  return [turns.length, turn?.pieces.length, piece?.kind === "said" ? piece.text.length : piece?.calls.length, turn?.end?.outcome].join(" ");
}

function Marks({ marks, before }: { readonly marks: readonly Mark[]; readonly before: number }) {
  return marks.filter((mark) => mark.before === before).map((mark) => <p key={mark.text} className="mark"><span>{mark.text}</span></p>);
}

type Place = { readonly current: HTMLDivElement | null };

/** Keeps the end in sight while the person is there. Changes that wait are read from the first one on. */
function useFollowing(scroll: Place, log: Place) {
  const [below, setBelow] = useState(false);
  const state = useRef({ atEnd: true, byHand: false, placed: -1 });
  const distance = useCallback((): number => {
    const node = scroll.current;
    return node === null ? 0 : node.scrollHeight - node.clientHeight - node.scrollTop;
  }, [scroll]);
  const place = useCallback((): void => {
    const node = scroll.current;
    // what stands there before anything was said is read from its beginning
    if (node === null || log.current?.querySelector(".asked") === null) return;
    const group = node.querySelector(".card[data-waiting]")?.closest<HTMLElement>(".group") ?? undefined;
    if (group === undefined) state.current.byHand = false;
    else if (state.current.byHand) return; // whoever has scrolled among the cards stays where they are
    const end = node.scrollHeight - node.clientHeight;
    node.scrollTop = Math.max(0, group === undefined ? end : Math.min(end, group.offsetTop - GROUP_GAP));
    state.current.placed = node.scrollTop;
  }, [log, scroll]);
  const scrolled = useCallback((): void => {
    const node = scroll.current;
    if (node === null || Math.abs(node.scrollTop - state.current.placed) < 2) return; // that was the page, not the person
    state.current.byHand = true;
    state.current.atEnd = distance() <= NEAR_END;
    if (state.current.atEnd) setBelow(false);
  }, [distance, scroll]);
  const follow = useCallback((isNew: boolean): void => {
    scrolled(); // the event of a scroll comes a frame after it, and text may come first
    if (state.current.atEnd) place();
    else if (isNew && distance() > NEAR_END) setBelow(true);
  }, [distance, place, scrolled]);
  const toEnd = useCallback((): void => {
    state.current = { ...state.current, atEnd: true, byHand: false };
    setBelow(false);
    place();
  }, [place]);
  useEffect(() => {
    const node = log.current;
    if (node === null) return undefined;
    const observer = new ResizeObserver(() => follow(false));
    observer.observe(node);
    return () => observer.disconnect();
  }, [follow, log]);
  return { below, follow, scrolled, toEnd };
}
