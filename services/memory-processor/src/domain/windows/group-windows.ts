import type { WindowGroup } from '../extractor.ts';
import type { Reading } from '../ingest/extract-window.ts';
import type { CountTokens } from './cut-text.ts';

/** Most windows of a group: they are saved together, and a kill has all of them read again. */
const MAX_GROUP = 8;
/** A rest of a session up to this share of a group goes with the group before it: it would pay for the instructions once more. */
const REST_SHARE = 1 / 3;

/** Whether a window goes on where another one ends, so that the two are read as one piece. */
function isNext({ window }: Reading, { window: next, context, head }: Reading): boolean {
  const isNew = context.known === undefined && head === undefined;
  return isNew && window.session === next.session && window.ordinal + 1 === next.ordinal && window.date === next.date;
}

interface Group {
  readonly readings: Reading[];
  tokens: number;
}

/** Puts what is left of a session at its end to the group before it. */
function joinRests(groups: readonly Group[], maxTokens: number): readonly Group[] {
  const isEnd = (at: number): boolean => {
    const [last, next] = [groups[at]?.readings.at(-1), groups[at + 1]?.readings[0]];
    return last === undefined || next === undefined || !isNext(last, next);
  };
  const joined: Group[] = [];
  for (const [at, group] of groups.entries()) {
    const [before, first] = [joined.at(-1), group.readings[0]];
    const last = before?.readings.at(-1);
    const isRest =
      isEnd(at) && group.tokens <= maxTokens * REST_SHARE && group.readings.length <= MAX_GROUP * REST_SHARE;
    if (before !== undefined && last !== undefined && first !== undefined && isRest && isNext(last, first)) {
      before.readings.push(...group.readings);
      before.tokens += group.tokens;
    } else joined.push(group);
  }
  return joined;
}

/** Puts windows that follow each other into groups of so many tokens, which a model reads in one call. */
export function groupReadings(
  readings: readonly Reading[],
  maxTokens: number,
  countTokens: CountTokens,
): readonly Reading[] {
  if (maxTokens <= 0) return readings;
  const groups: Group[] = [];
  for (const reading of readings) {
    const [last, tokens] = [groups.at(-1), countTokens(reading.window.content)];
    const before = last?.readings.at(-1);
    const fits = last !== undefined && last.tokens + tokens <= maxTokens && last.readings.length < MAX_GROUP;
    if (last !== undefined && before !== undefined && fits && isNext(before, reading)) {
      last.readings.push(reading);
      last.tokens += tokens;
    } else groups.push({ readings: [reading], tokens });
  }
  return joinRests(groups, maxTokens).flatMap(({ readings: own }) => {
    const [first] = own;
    if (first === undefined || own.length === 1) return own;
    const group: WindowGroup = { windows: own.map(({ window }) => window), first: first.context };
    return own.map((reading) => ({ ...reading, context: { ...reading.context, group } }));
  });
}

/** Puts together what is read in one call: the windows of a group, each other window by itself. */
export function toUnits(readings: readonly Reading[]): readonly (readonly Reading[])[] {
  const units: Reading[][] = [];
  for (const reading of readings) {
    const { group } = reading.context;
    const last = units.at(-1);
    if (last !== undefined && group !== undefined && last[0]?.context.group === group) last.push(reading);
    else units.push([reading]);
  }
  return units;
}
