import { DECISION_TAG, EPISODE_KEY, type JsonObject } from '@contextloom/contracts';
import type { KeyedDocument } from '../store.ts';

/** What stands where the words of a memory were that is gone. */
const NO_WORDS = '—';

/** The episode that is found by a fact's words. */
export function readEpisodeOf({ metadata }: KeyedDocument): string | undefined {
  const { [EPISODE_KEY]: episode } = metadata;
  return typeof episode === 'string' && episode !== '' ? episode : undefined;
}

/** A document with other words among its keys, or without them; undefined where it does not have them. */
export function toReworded(document: KeyedDocument, from: string, to?: string): KeyedDocument | undefined {
  const { keys = [] } = document;
  if (!keys.includes(from)) return undefined;
  return { ...document, keys: [...new Set(keys.flatMap((key) => (key === from ? (to ?? []) : key)))] };
}

const textOf = (metadata: JsonObject, key: string): string => String(metadata[key] ?? '');

/** A decision without the words of a fact that is gone; of two that said the same neither stays. */
export function withoutFact(decision: KeyedDocument, fact: string): KeyedDocument {
  if (!decision.tags.includes(DECISION_TAG)) return decision;
  const { unstored: _, ...metadata } = decision.metadata;
  const isSame = metadata['relation'] === 'same';
  const said = isSame || metadata['fact'] === fact ? NO_WORDS : textOf(metadata, 'fact_text');
  const known = isSame || metadata['known'] === fact ? NO_WORDS : textOf(metadata, 'known_text');
  return {
    ...decision,
    content: `${textOf(metadata, 'relation')}: ${said}\n${known}`,
    metadata: { ...metadata, fact_text: said, known_text: known },
  };
}
