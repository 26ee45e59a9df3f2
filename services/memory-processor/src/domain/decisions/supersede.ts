import { MAX_KEYS, MEMORY_TAG, SUPERSEDED_TAG } from '@contextloom/contracts';
import type { MemoryDocument } from '../memory-store.ts';
import { toSaidAgain, withoutSaidAgain } from '../retractions/retraction.ts';
import { type Relation, toSaidAt } from './decision.ts';

const swapTag = (tags: readonly string[], from: string, to: string): string[] => [
  ...new Set(tags.map((tag) => (tag === from ? to : tag))),
];

/** Whether a fact is what is so now. */
export const isCurrent = ({ tags }: MemoryDocument): boolean => tags.includes(MEMORY_TAG);

/**
 * A fact whose place another one has taken. Its tag changes, so that no search for memories finds it, whoever asks; what was
 * corrected was never so, and is so at no date.
 */
export function toSuperseded(old: MemoryDocument, by: MemoryDocument, relation: Relation): MemoryDocument {
  return {
    ...old,
    tags: swapTag(old.tags, MEMORY_TAG, SUPERSEDED_TAG),
    metadata: { ...old.metadata, valid_to: toSaidAt(by), superseded_by: by.doc_id, superseded_how: relation },
  };
}

/** The fact as it was before. */
export function toRestored(old: MemoryDocument): MemoryDocument {
  const { valid_to: _to, superseded_by: _by, superseded_how: _how, ...metadata } = old.metadata;
  return { ...old, tags: swapTag(old.tags, SUPERSEDED_TAG, MEMORY_TAG), metadata };
}

/** A fact that was said once more: it is found by those words too. */
export function toCounted(known: MemoryDocument, again: MemoryDocument): MemoryDocument {
  const keys = [...new Set([...(known.keys ?? []), ...(again.keys ?? [])])].slice(0, MAX_KEYS);
  const mentions = Number(known.metadata['mentions'] ?? 1) + 1;
  const more = toSaidAgain(known.metadata, again.metadata);
  const metadata = { ...known.metadata, mentions, last_said_at: toSaidAt(again), ...more };
  return { ...known, ...(keys.length > 0 && { keys }), metadata };
}

/** The same with the mention less that another fact was. */
export function toUncounted(known: MemoryDocument, again: MemoryDocument): MemoryDocument {
  const mentions = Math.max(1, Number(known.metadata['mentions'] ?? 2) - 1);
  return { ...known, metadata: { ...withoutSaidAgain(known.metadata, again.metadata), mentions } };
}
