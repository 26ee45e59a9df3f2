import type { Moment } from '@contextloom/retrieval/time';
import type { Session } from '@contextloom/transcripts/transcript';
import type { Retraction } from '../retractions/retraction.ts';
import { endsBefore, isSameContent, toContent, toFirstLine, type WindowTurn } from './window-turns.ts';

/** A window as it is recorded. */
export interface RecordedWindow {
  readonly session: string;
  /** Its place in the session, from 1. */
  readonly ordinal: number;
  readonly content: string;
  /** When the call came that brought it, ISO 8601 UTC, if nothing else dates it. */
  readonly calledAt?: Moment | undefined;
}

/** What cutting goes by besides the words. */
export interface CutBasis {
  readonly recorded: readonly RecordedWindow[];
  /** When the call came, ISO 8601 UTC: what is not recorded was said then, if nothing else dates it. */
  readonly calledAt: Moment | undefined;
  /** What a person corrected or deleted: its turns are a window of their own, which is neither read nor saved. */
  readonly findRetracted?: FindRetracted | undefined;
}

/** A recorded window that is found in a conversation, and the turns of the conversation that it has. */
export interface FoundWindow {
  readonly window: RecordedWindow;
  readonly turns: readonly WindowTurn[];
}

/** The turn so many places ahead; undefined after the last. */
export type NextTurn = (place: number) => WindowTurn | undefined;

/** Turns that come next in a conversation, and what a person made of the episode that had them. */
interface RetractedRun {
  readonly retraction: Retraction;
  readonly length: number;
  /** Whether it was read in this very conversation, and not in another file of it. */
  readonly isOwn: boolean;
}

/** Finds the episode that a person corrected or deleted and that begins with the next turn. */
export type FindRetracted = (next: NextTurn, session: Pick<Session, 'label' | 'date'>) => RetractedRun | undefined;

/** The recorded windows of one session, found by the turns that come next. */
export interface SessionRecord {
  /** The first window after the one with this ordinal that says what the next turns say. */
  readonly find: (next: NextTurn, after: number) => FoundWindow | undefined;
  /** The ordinal of the last window; 0 without any. */
  readonly last: number;
}

/** The turns that come next, if they say what a window says, or begin to; whether they say all of it. */
function match(content: string, next: NextTurn, sessionDate: Moment | undefined) {
  const turns: WindowTurn[] = [];
  for (let turn = next(0); turn !== undefined; turn = next(turns.length)) {
    turns.push(turn);
    const own = toContent(turns, sessionDate);
    if (isSameContent(own, content)) return { turns, isWhole: true };
    if (!endsBefore(own, content)) return undefined;
  }
  return { turns, isWhole: false };
}

/** Builds the record of a session. */
export function createSessionRecord(
  windows: readonly RecordedWindow[],
  sessionDate: Moment | undefined,
): SessionRecord {
  const byFirstLine = new Map<string, RecordedWindow[]>();
  const inOrder = [...windows].sort((a, b) => a.ordinal - b.ordinal);
  for (const window of inOrder) {
    const line = toFirstLine(window.content);
    const alike = byFirstLine.get(line);
    if (alike === undefined) byFirstLine.set(line, [window]);
    else alike.push(window);
  }
  return {
    last: inOrder.at(-1)?.ordinal ?? 0,
    find: (next, after) => {
      const first = next(0);
      if (first === undefined) return undefined;
      for (const window of byFirstLine.get(toFirstLine(toContent([first], undefined))) ?? []) {
        const found = window.ordinal > after ? match(window.content, next, sessionDate) : undefined;
        // An earlier state of a conversation ends inside a window: the one that follows.
        const isNext = window.ordinal === after + 1;
        if (found !== undefined && (found.isWhole || isNext)) return { window, turns: found.turns };
      }
      return undefined;
    },
  };
}
