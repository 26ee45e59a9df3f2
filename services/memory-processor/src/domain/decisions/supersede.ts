import {
  isMoreTrusted,
  type JsonObject,
  MAX_KEYS,
  MEMORY_TAG,
  readSaidBy,
  SAID_BY_KEY,
  SUPERSEDED_TAG,
  TRUST_KEY,
  type Trust,
  toLeastTrust,
  toTrustMetadata,
} from '@contextloom/contracts';
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

/** Who said a fact before somebody who is believed more said it again. */
const BEFORE_KEY = 'said_by_before';

function withSaidBy(metadata: JsonObject, saidBy: readonly Trust[]): JsonObject {
  const { [TRUST_KEY]: _trust, [SAID_BY_KEY]: _saidBy, [BEFORE_KEY]: _before, ...rest } = metadata;
  return { ...rest, ...toTrustMetadata(saidBy) };
}

/** A fact that is said again by whoever is believed more needs nobody else. */
function toRaised({ metadata }: MemoryDocument, again: MemoryDocument): JsonObject {
  const [own, other] = [readSaidBy(metadata), readSaidBy(again.metadata)];
  if (!isMoreTrusted(toLeastTrust(other), toLeastTrust(own))) return metadata;
  return { ...withSaidBy(metadata, other), [BEFORE_KEY]: own.join(',') };
}

/** The same as it was before. */
function toLowered({ metadata }: MemoryDocument, again: MemoryDocument): JsonObject {
  const { [BEFORE_KEY]: before } = metadata;
  const isBy = toLeastTrust(readSaidBy(again.metadata)) === toLeastTrust(readSaidBy(metadata));
  return typeof before === 'string' && isBy ? withSaidBy(metadata, readSaidBy({ [SAID_BY_KEY]: before })) : metadata;
}

/** A fact that was said once more: it is found by those words too. */
export function toCounted(known: MemoryDocument, again: MemoryDocument): MemoryDocument {
  const keys = [...new Set([...(known.keys ?? []), ...(again.keys ?? [])])].slice(0, MAX_KEYS);
  const mentions = Number(known.metadata['mentions'] ?? 1) + 1;
  const more = toSaidAgain(known.metadata, again.metadata);
  const metadata = { ...toRaised(known, again), mentions, last_said_at: toSaidAt(again), ...more };
  return { ...known, ...(keys.length > 0 && { keys }), metadata };
}

/** The same with the mention less that another fact was. */
export function toUncounted(known: MemoryDocument, again: MemoryDocument): MemoryDocument {
  const mentions = Math.max(1, Number(known.metadata['mentions'] ?? 2) - 1);
  return { ...known, metadata: { ...withoutSaidAgain(toLowered(known, again), again.metadata), mentions } };
}
