import { endsAsking } from '@contextloom/retrieval';
import type { Moment } from '@contextloom/retrieval/time';
import type { Session } from '@contextloom/transcripts/transcript';
import type { Retraction } from '../retractions/retraction.ts';
import { type CountTokens, cutText } from './cut-text.ts';
import { type CutBasis, createSessionRecord, type RecordedWindow, type SessionRecord } from './recorded-windows.ts';
import { MAX_WINDOW_TOKENS, MAX_WINDOW_TURNS, toContent, toOrdinal, type WindowTurn } from './window-turns.ts';

/** A sequence whose next items can be looked at before they are taken. */
interface Lookahead<T> {
  /** The item so many places ahead; undefined after the last. */
  readonly at: (place: number) => T | undefined;
  /** Takes the next items. */
  readonly take: (count: number) => readonly T[];
}

/** Builds one; items are made when they are looked at, so that a sequence that takes seconds does not block. */
function createLookahead<T>(items: Iterable<T>): Lookahead<T> {
  const iterator = items[Symbol.iterator]();
  const waiting: T[] = [];
  const at = (place: number): T | undefined => {
    while (waiting.length <= place) {
      const next = iterator.next();
      if (next.done === true) return undefined;
      waiting.push(next.value);
    }
    return waiting[place];
  };
  return { at, take: (count) => waiting.splice(0, count) };
}

/** The turns of a window. */
export interface Part {
  readonly turns: readonly WindowTurn[];
  /** Its place in the session, from 1. */
  readonly ordinal: number;
  /** When the calls came that brought its first and its newest turns, ISO 8601 UTC; absent when nobody knows. */
  readonly called?: { readonly first: Moment; readonly last: Moment } | undefined;
  /** Whether nothing is added to it: what follows it is recorded, or was. */
  readonly isClosed?: boolean;
  /** What a person said of it. */
  readonly retraction?: Retraction;
}

/** A session that is cut into parts. */
export interface CutOptions {
  readonly session: Session;
  /** Its turns, as far as they say something. */
  readonly turns: readonly WindowTurn[];
  readonly countTokens: CountTokens;
  readonly basis: CutBasis;
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
function isAnswered([question, answer]: readonly WindowTurn[]): boolean {
  return question !== undefined && question.speaker !== answer?.speaker && endsAsking(question.text);
}

/** A step in cutting: the turns of the part before that are done with, and the part that the next turns go into. */
interface Step {
  readonly done: readonly WindowTurn[];
  readonly part: Part;
}

/** Takes the turns of a recorded window, if they come next. */
function takeRecorded(part: Part, pieces: Lookahead<WindowTurn>, record: SessionRecord): Step | undefined {
  const toPart = (turns: readonly WindowTurn[], { ordinal, calledAt }: RecordedWindow): Part => {
    const called = calledAt === undefined ? undefined : { first: calledAt, last: calledAt };
    return { turns, ordinal, called, isClosed: ordinal < record.last };
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

/** Takes the turns of an episode that a person corrected or deleted, if they come next. */
function takeRetracted(part: Part, pieces: Lookahead<WindowTurn>, { session, basis }: CutOptions): Step | undefined {
  const run = basis.findRetracted?.(pieces.at, session);
  if (run === undefined) return undefined;
  const { retraction, length, isOwn } = run;
  // It is not saved under it: what follows keeps the place that it has.
  const ordinal = Math.max(part.ordinal, isOwn ? toOrdinal(retraction.position ?? 0) : 0);
  return { done: part.turns, part: { turns: pieces.take(length), ordinal, isClosed: true, retraction } };
}

/** How turns that are not recorded become parts. */
interface NewTurns {
  readonly calledAt: Moment | undefined;
  readonly fits: (turns: readonly WindowTurn[]) => boolean;
}

const isSameDay = (one: Moment | undefined, other: Moment | undefined): boolean =>
  one?.slice(0, 10) === other?.slice(0, 10);

/** Takes a turn that is not recorded: into the part before, if that is of the same day and has room, else into one of its own. */
function takeNew(
  { turns, ordinal, called, isClosed = false }: Part,
  piece: WindowTurn,
  { calledAt, fits }: NewTurns,
): Step {
  const longer = [...turns, piece];
  const own = calledAt === undefined ? undefined : { first: calledAt, last: calledAt };
  if (turns.length === 0) return { done: [], part: { turns: longer, ordinal: ordinal + 1, called: own } };
  if (!isClosed && isSameDay(called?.first, calledAt) && fits(longer)) {
    return { done: [], part: { turns: longer, ordinal, called: own && { ...own, ...called, last: own.last } } };
  }
  // An answer without its question is found by few and understood by fewer: the two go into one window.
  const pair = longer.slice(-2);
  const next = turns.length > 1 && isAnswered(pair) && fits(pair) ? pair : [piece];
  return { done: longer.slice(0, -next.length), part: { turns: next, ordinal: ordinal + 1, called: own } };
}

/** Cuts a session: what is recorded as it was cut then, the rest into as few parts as have room for it. */
export function* eachPart(options: CutOptions): Generator<Part> {
  const { session, countTokens, basis } = options;
  const pieces = createLookahead(eachPiece(options));
  const record = createSessionRecord(basis.recorded, session.date);
  const fits = (turns: readonly WindowTurn[]): boolean =>
    turns.length <= MAX_WINDOW_TURNS && countTokens(toContent(turns, session.date)) <= MAX_WINDOW_TOKENS;
  let part: Part = { turns: [], ordinal: 0 };
  for (let piece = pieces.at(0); piece !== undefined; piece = pieces.at(0)) {
    const known = takeRecorded(part, pieces, record) ?? takeRetracted(part, pieces, options);
    if (known === undefined) pieces.take(1);
    const step = known ?? takeNew(part, piece, { calledAt: basis.calledAt, fits });
    if (step.done.length > 0) yield { ...part, turns: step.done };
    part = step.part;
  }
  if (part.turns.length > 0) yield part;
}
