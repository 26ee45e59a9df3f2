import {
  EPISODE_KEY,
  EPISODE_TAG,
  type JsonObject,
  readEpisode,
  readSaidBy,
  type Trust,
  toSaidBy,
} from '@contextloom/contracts';
import { hasQuoted } from './quoted.ts';
import { type KnownNames, toSpeakerTrust } from './speaker-trust.ts';

/** What is looked at of a memory. */
interface Said {
  readonly content: string;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Who says a turn: its speaker, and the document that they pasted. A line that nobody says is a document's. */
export function toTurnSaidBy(speaker: string | undefined, words: string, names: KnownNames): readonly Trust[] {
  if (speaker === undefined) return ['document'];
  const by = toSpeakerTrust(speaker, names);
  const isPerson = by === 'user' || by === 'other';
  return isPerson && hasQuoted(words) ? [by, 'document'] : [by];
}

/**
 * Who said a memory, from whom most to whom least is believed. One that was stored before that was kept is known by its speakers, or
 * by the entry point that it came through; undefined for facts stored before this was recorded.
 */
export function findSaidBy({ content, tags, metadata }: Said, names: KnownNames): readonly Trust[] {
  const kept = readSaidBy(metadata as JsonObject);
  if (kept.length > 0) return kept;
  if (metadata['memory_type'] === 'episode' || tags.includes(EPISODE_TAG)) {
    const { turns } = readEpisode(content);
    return toSaidBy(turns.flatMap(({ speaker, words }) => toTurnSaidBy(speaker, words, names)));
  }
  if (typeof metadata[EPISODE_KEY] === 'string') return [];
  return tags.includes('note') ? ['user'] : ['document'];
}
