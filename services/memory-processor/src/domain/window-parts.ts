import { endsAsking } from '@contextloom/retrieval';
import { type CountTokens, cutText } from './cut-text.ts';
import { createLookahead, type Lookahead } from './lookahead.ts';
import { createSessionRecord, type RecordedWindow, type SessionRecord } from './recorded-windows.ts';
import type { Session } from './transcript.ts';
import { MAX_WINDOW_TOKENS, MAX_WINDOW_TURNS, toContent, type WindowTurn } from './window-turns.ts';

/** The turns of a window, and its place in the session, from 1. */
export interface Part {
  readonly turns: readonly WindowTurn[];
  readonly ordinal: number;
  /** Whether nothing is added to it: what follows it is recorded, or was. */
  readonly isClosed?: boolean;
}

/** A session that is cut into parts. */
export interface CutOptions {
  readonly session: Session;
  /** Its turns, as far as they say something. */
  readonly turns: readonly WindowTurn[];
  readonly countTokens: CountTokens;
  /** What is recorded of the session. */
  readonly recorded: readonly RecordedWindow[];
}

function* eachPiece({ session, turns, countTokens }: CutOptions): Generator<WindowTurn> {
  for (const turn of turns) {
    const inWindow = (text: string): string => toContent([{ ...turn, text }], session.date);
    for (const text of cutText(turn.text, { countTokens, maxTokens: MAX_WINDOW_TOKENS, inWindow })) {
      yield { ...turn, text };
    }
  }
}

/** Whether the first of two turns ends on a question that somebody else may answer in the second. */
function isAnswered([asked, answer]: readonly WindowTurn[]): boolean {
  return asked !== undefined && asked.speaker !== answer?.speaker && endsAsking(asked.text);
}

/** A step in cutting: the turns of the part before that are done with, and the part that the next turns go into. */
interface Step {
  readonly done: readonly WindowTurn[];
  readonly part: Part;
}

/** Takes the turns of a recorded window, if they come next. */
function takeRecorded(part: Part, pieces: Lookahead<WindowTurn>, record: SessionRecord): Step | undefined {
  const toPart = (turns: readonly WindowTurn[], { ordinal }: RecordedWindow): Part => {
    return { turns, ordinal, isClosed: ordinal < record.last };
  };
  const found = record.find(pieces.at, part.ordinal);
  if (found !== undefined) {
    return { done: part.turns, part: toPart(pieces.take(found.turns.length), found.window) };
  }
  // Its first turn may be the question that the part before ended on.
  const last = part.turns.at(-1);
  if (last === undefined || part.turns.length === 1) return undefined;
  const carried = record.find((place) => (place === 0 ? last : pieces.at(place - 1)), part.ordinal);
  if (carried === undefined) return undefined;
  const turns = [last, ...pieces.take(carried.turns.length - 1)];
  return { done: part.turns.slice(0, -1), part: toPart(turns, carried.window) };
}

/** Takes a turn that is not recorded: into the part before where it fits, else into one of its own. */
function takeNew(
  { turns, ordinal, isClosed = false }: Part,
  piece: WindowTurn,
  fits: (turns: readonly WindowTurn[]) => boolean,
): Step {
  const longer = [...turns, piece];
  if (turns.length === 0) return { done: [], part: { turns: longer, ordinal: ordinal + 1 } };
  if (!isClosed && fits(longer)) return { done: [], part: { turns: longer, ordinal } };
  // An answer without its question is found by few and understood by fewer: the two go into one window.
  const pair = longer.slice(-2);
  const next = turns.length > 1 && isAnswered(pair) && fits(pair) ? pair : [piece];
  return { done: longer.slice(0, -next.length), part: { turns: next, ordinal: ordinal + 1 } };
}

/** Cuts a session: what is recorded as it was cut then, the rest into as few parts as have room for it. */
export function* eachPart(options: CutOptions): Generator<Part> {
  const { session, countTokens, recorded } = options;
  const pieces = createLookahead(eachPiece(options));
  const record = createSessionRecord(recorded, session.date);
  const fits = (turns: readonly WindowTurn[]): boolean =>
    turns.length <= MAX_WINDOW_TURNS && countTokens(toContent(turns, session.date)) <= MAX_WINDOW_TOKENS;
  let part: Part = { turns: [], ordinal: 0 };
  for (let piece = pieces.at(0); piece !== undefined; piece = pieces.at(0)) {
    const known = takeRecorded(part, pieces, record);
    if (known === undefined) pieces.take(1);
    const step = known ?? takeNew(part, piece, fits);
    if (step.done.length > 0) yield { ...part, turns: step.done };
    part = step.part;
  }
  if (part.turns.length > 0) yield part;
}
