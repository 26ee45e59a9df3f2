import { z } from 'zod';
import type { JsonObject } from './values/json.ts';

/**
 * What a person corrected or deleted of what was read in a conversation. It is kept next to what is stored, by where it was read, and
 * wins over every later reading: a corrected memory has the keys below in its metadata, and of a deleted one a mark stays that has them,
 * with this tag and without its words.
 */
export const RETRACTION_TAG = 'retraction';

/** How a person overruled what was read. */
export type RetractionKind = 'corrected' | 'deleted';

/** The metadata key of the name of the conversation that a document was read in; without it a document was not read. */
export const SOURCE_KEY = 'transcript';
/**
 * The metadata keys that tell how and when a document was overruled; of a corrected one, what had been read; of a mark, the document
 * that is gone.
 */
export const retractionKeys = {
  how: 'retracted',
  at: 'retracted_at',
  said: 'retracted_content',
  of: 'retracted_id',
  why: 'retracted_reason',
} as const;
/** The metadata key of when a document is forgotten by itself, ISO 8601. */
export const EXPIRY_KEY = 'forget_at';

/** The metadata key of the fingerprints of the turns that a document was read from, one after the other, with commas between. */
export const TURN_HASHES_KEY = 'turn_hashes';

/** The metadata key of where else the same was said: a list in JSON of conversations and the fingerprints of the turns there. */
export const SAID_AGAIN_KEY = 'said_again';

/** Another conversation that says the same, and the fingerprints of the turns there. */
export interface SaidAgain {
  readonly transcript: string;
  readonly hashes: readonly string[];
}

const saidAgainSchema = z.array(z.object({ transcript: z.string(), hashes: z.array(z.string()) }));

/** Where else the same was said, as a document's metadata tell. */
export function readSaidAgain({ [SAID_AGAIN_KEY]: text }: JsonObject): readonly SaidAgain[] {
  if (typeof text !== 'string') return [];
  try {
    return saidAgainSchema.safeParse(JSON.parse(text)).data ?? [];
  } catch {
    return []; // Somebody else wrote it.
  }
}

/** The fingerprints of the turns that a document was read from, as its metadata tell. */
export function readTurnHashes({ [TURN_HASHES_KEY]: text }: JsonObject): readonly string[] {
  return typeof text === 'string' ? text.split(',').filter((hash) => hash !== '') : [];
}

/** What a mark keeps of the metadata of the document that is gone: whose it was, and where it was read. */
export const sourceKeys = [
  'user_id',
  SOURCE_KEY,
  'session',
  'turns',
  'position',
  TURN_HASHES_KEY,
  SAID_AGAIN_KEY,
  'memory_type',
  'said_at',
  'occurred_at',
  'occurred_at_source',
] as const;

/** How a document was overruled, as its metadata tell; undefined of one that was not. */
export function readRetraction({ [retractionKeys.how]: how }: JsonObject): RetractionKind | undefined {
  return how === 'corrected' || how === 'deleted' ? how : undefined;
}
