import { isStopWord, tokenize } from '@contextloom/retrieval';
import type { WindowTurn } from '../windows/window-turns.ts';

/** Fields that name a turn, when a model answers with objects. */
const LABEL_FIELDS = [
  'label',
  'turn',
  'turn_id',
  'id',
  'dia_id',
  'index',
  'number',
  'evidence',
  'source',
  'quote',
  'text',
];
/** Most parts of evidence that are looked at. */
const MAX_PARTS = 50;

/** The evidence of a fact as a list of texts: labels, ranges, quotations, in whatever they are wrapped. */
export function readEvidence(given: unknown): readonly string[] {
  const parts: string[] = [];
  const take = (value: unknown, depth: number): void => {
    if (parts.length >= MAX_PARTS || depth > 3 || value === null || value === undefined) return;
    if (typeof value === 'string' || typeof value === 'number') parts.push(String(value).trim().slice(0, 500));
    else if (Array.isArray(value)) for (const one of value) take(one, depth + 1);
    else if (typeof value === 'object') {
      const item = value as Readonly<Record<string, unknown>>;
      const field = LABEL_FIELDS.find((name) => item[name] !== undefined && item[name] !== null);
      if (field !== undefined) take(item[field], depth + 1);
    }
  };
  take(given, 0);
  return parts.filter((part) => part !== '');
}

const bare = (text: string): string => text.replace(/^[[(【#\s]+|[\])】\s.]+$/gu, '');
const RANGE = /\s*(?:-|–|—|~|\.\.|\bto\b|至|到)\s*/u;
/** What may be a label in other words: `turn 3`, `第3轮`, `[D1:3]`. */
const LABEL = /[A-Za-z]*\d+(?:[:.]\d+)*/gu;
/** A quotation that is shorter may stand anywhere. */
const MIN_QUOTE = 8;

/** The places of the turns that one part of the evidence names. */
function findPart(part: string, places: ReadonlyMap<string, number>, turns: readonly WindowTurn[]): readonly number[] {
  const exact = places.get(bare(part));
  if (exact !== undefined) return turns.flatMap(({ label }, at) => (label === bare(part) ? [at] : []));
  const [from, to, ...more] = part
    .split(RANGE)
    .map((end) => places.get(bare(end)) ?? places.get(end.match(LABEL)?.at(-1) ?? ''));
  if (from !== undefined && to !== undefined && more.length === 0) {
    return to < from ? [] : Array.from({ length: to - from + 1 }, (_, at) => from + at);
  }
  const quoted = part.length < MIN_QUOTE ? [] : turns.flatMap(({ text }, at) => (text.includes(part) ? [at] : []));
  if (quoted.length > 0) return quoted;
  return (part.match(LABEL) ?? []).flatMap((label) => places.get(label) ?? []);
}

/** The turns that a fact names as its evidence. */
export function findEvidence(evidence: readonly string[], turns: readonly WindowTurn[]): readonly WindowTurn[] {
  const places = new Map([...turns.entries()].reverse().map(([at, { label }]) => [label, at]));
  const isExact = (part: string): boolean => places.has(bare(part));
  const named = evidence.flatMap((whole) => {
    const parts = isExact(whole) ? [whole] : whole.split(/[,，、;；&]|\band\b|和|与/u);
    return parts.flatMap((part) => findPart(part, places, turns));
  });
  const chosen = new Set(named);
  return turns.filter((_turn, at) => chosen.has(at));
}

/** The words of a text that carry meaning, by their stems. */
export function toContentTerms(text: string): ReadonlySet<string> {
  return new Set(tokenize(text).terms.filter((term) => !isStopWord(term)));
}

/** The share of a fact's content terms that a turn must have to be taken for its evidence. */
const INFERRED_SHARE = 0.5;

/** The turn that says a fact which names no evidence: the one that shares most of its words, if it shares enough. */
export function inferEvidence(content: string, turns: readonly WindowTurn[]): readonly WindowTurn[] {
  const terms = toContentTerms(content);
  const scored = turns.map((turn) => {
    const said = toContentTerms(`${turn.speaker}: ${turn.text}`);
    return { turn, share: terms.size === 0 ? 0 : [...terms].filter((term) => said.has(term)).length / terms.size };
  });
  const best = scored.reduce((top, one) => (one.share > top.share ? one : top), { turn: undefined, share: 0 } as {
    readonly turn: WindowTurn | undefined;
    readonly share: number;
  });
  return best.turn === undefined || best.share < INFERRED_SHARE ? [] : [best.turn];
}
