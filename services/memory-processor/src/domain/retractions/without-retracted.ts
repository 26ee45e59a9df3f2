import { EPISODE_TAG } from '@contextloom/contracts';
import type { Extracted } from '../ingest/extract-window.ts';
import type { MemoryDocument, RecordedMemory } from '../memory-store.ts';
import type { Retractions } from './retractions.ts';

/** Why a fact is not saved whose words a person has corrected or deleted. */
const retractionReasons = { corrected: 'corrected by the user', deleted: 'deleted by the user' } as const;

/** Whether a fact was not saved since a person had corrected or deleted its words. */
export function isRetractionReason(reason: string): boolean {
  return Object.values<string>(retractionReasons).includes(reason);
}

/**
 * Whether a fact that is stored stays, whatever a reading says: a person corrected it, or another one of the same words. A new reading
 * changes nothing about these.
 */
export function isSettled(id: string, { metadata, episode }: RecordedMemory, retractions: Retractions): boolean {
  return (
    retractions.get(id) !== undefined || (episode !== undefined && retractions.findSettled(metadata) !== undefined)
  );
}

/** What a window came to, without what a person has corrected or deleted by now. */
export function withoutRetracted(
  extracted: Extracted,
  recorded: ReadonlyMap<string, RecordedMemory>,
  retractions: Retractions,
): Extracted {
  const known = new Set([...recorded.values()].map(({ content }) => content));
  const reasonOf = ({ doc_id: id, content, tags, metadata }: MemoryDocument): string | undefined => {
    const found = retractions.get(id) ?? (tags.includes(EPISODE_TAG) ? undefined : retractions.findSettled(metadata));
    if (found === undefined) return undefined;
    return known.has(content) ? `known already: ${content}` : retractionReasons[found.how];
  };
  const reasons = new Map(
    extracted.documents.flatMap((document) => {
      const reason = reasonOf(document);
      return reason === undefined ? [] : [[document.doc_id, reason] as const];
    }),
  );
  if (reasons.size === 0) return extracted;
  const dropped = extracted.documents.filter(({ doc_id: id }) => reasons.has(id));
  const words = new Set(dropped.map(({ content }) => content));
  return {
    ...extracted,
    documents: extracted.documents
      .filter(({ doc_id: id }) => !reasons.has(id))
      .map(({ keys, ...document }) => {
        // An episode is found by its facts, and not by one that a person took back.
        const left = keys?.filter((key) => !words.has(key)) ?? [];
        return left.length === 0 ? document : { ...document, keys: left };
      }),
    shown: extracted.shown.filter(({ id }) => !reasons.has(id)),
    notSaved: [
      ...extracted.notSaved,
      ...extracted.shown.flatMap(({ id, content, importance }) => {
        const reason = reasons.get(id);
        return reason === undefined ? [] : [{ content, importance, reason }];
      }),
    ],
  };
}
