import type { WindowGroup } from '../extractor.ts';
import type { Reading } from '../ingest/extract-window.ts';
import type { CountTokens } from './cut-text.ts';

/** Most windows of a group: they are saved together, and a kill has all of them read again. */
const MAX_GROUP = 8;

/** Whether a window goes on where another one ends, so that the two are read as one piece. */
function isNext({ window }: Reading, { window: next, context, head }: Reading): boolean {
  const isNew = context.known === undefined && head === undefined;
  return isNew && window.session === next.session && window.ordinal + 1 === next.ordinal && window.date === next.date;
}

/** Puts windows that follow each other into groups of so many tokens, which a model reads in one call. */
export function groupReadings(
  readings: readonly Reading[],
  maxTokens: number,
  countTokens: CountTokens,
): readonly Reading[] {
  if (maxTokens <= 0) return readings;
  const groups: { readings: Reading[]; tokens: number }[] = [];
  for (const reading of readings) {
    const [last, tokens] = [groups.at(-1), countTokens(reading.window.content)];
    const before = last?.readings.at(-1);
    const hasRoom = last !== undefined && last.tokens + tokens <= maxTokens && last.readings.length < MAX_GROUP;
    if (last !== undefined && before !== undefined && hasRoom && isNext(before, reading)) {
      last.readings.push(reading);
      last.tokens += tokens;
    } else groups.push({ readings: [reading], tokens });
  }
  return groups.flatMap(({ readings: own }) => {
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
