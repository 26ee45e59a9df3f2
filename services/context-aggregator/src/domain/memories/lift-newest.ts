import { isAssistantName } from '@contextloom/retrieval';
import { findAsked } from '@contextloom/retrieval/states';
import type { Asking } from './asking.ts';
import type { MemoryPassages } from './passages.ts';
import type { PromptMemory } from './prompt-memories.ts';

/** A memory whose passages may be included. */
export interface Source {
  readonly memory: PromptMemory;
  readonly parts: MemoryPassages;
  /** How well its memory fits, 0 to 1. */
  readonly score: number;
  readonly time: number | undefined;
}

/** A passage that may be included, and how well it fits. */
export interface Candidate {
  readonly source: Source;
  readonly at: number;
  readonly score: number;
}

/** What a passage that tells how things are now has more than the one that tells how they were. */
const NEWER = 1.05;

/**
 * Lifts what tells how things are now above what of the same was so before: who asks of the one means it, whichever words they share. Who
 * asks of the past gets both.
 */
export function liftNewest(candidates: readonly Candidate[], isOfPast: boolean): readonly Candidate[] {
  const toKey = (memory: string, turn: number | undefined): string => `${turn ?? ''} ${memory}`;
  const keyOf = ({ source: { memory, parts }, at }: Candidate): string =>
    toKey(memory.memory.id, parts.passages[at]?.turn);
  const best = new Map<string, number>();
  for (const candidate of candidates)
    best.set(keyOf(candidate), Math.max(best.get(keyOf(candidate)) ?? 0, candidate.score));
  const lifts = new Map<string, number>();
  const lift = (key: string, score: number): void => {
    lifts.set(key, Math.max(lifts.get(key) ?? 0, score));
  };
  for (const { memory } of new Set(candidates.map(({ source }) => source))) {
    for (const [turn, { by }] of memory.marks ?? []) {
      const [older, newer] = [toKey(memory.memory.id, turn), toKey(by.memory, by.turn)];
      lift(newer, (best.get(older) ?? 0) * NEWER);
      if (isOfPast) lift(older, best.get(newer) ?? 0);
    }
  }
  return candidates.map((one) => ({ ...one, score: Math.max(one.score, lifts.get(keyOf(one)) ?? 0) }));
}

/**
 * Lifts what states the attribute in question: `I have met somebody, her name is Mara` has no word of `Who is my girlfriend?`. The newest
 * of them alone.
 */
export function liftStating(candidates: readonly Candidate[], { query, names }: Asking): readonly Candidate[] {
  const states = findAsked(query);
  if (states === undefined) return candidates;
  const known = new Set(names.map((name) => name.trim().toLowerCase()));
  const stating = candidates.filter(({ source: { parts, time }, at }) => {
    const { speaker = '', text = '' } = parts.passages[at] ?? {};
    const isAssistant = isAssistantName(speaker.trim()) || known.has(speaker.trim().toLowerCase());
    const words = speaker === '' ? text : text.replace(/^[^:：]{1,40}[:：]\s*/u, '');
    return time !== undefined && !isAssistant && states(words);
  });
  const newest = stating.reduce<Candidate | undefined>(
    (last, one) => (last === undefined || (one.source.time ?? 0) > (last.source.time ?? 0) ? one : last),
    undefined,
  );
  const best = candidates.reduce((most, { score }) => Math.max(most, score), 0);
  return candidates.map((one) => (one === newest ? { ...one, score: best * NEWER } : one));
}
