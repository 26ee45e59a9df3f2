import {
  type JsonObject,
  type RetractionKind,
  readRetraction,
  readSaidAgain,
  readTurnHashes,
  retractionKeys,
  SAID_AGAIN_KEY,
  type SaidAgain,
} from '@contextloom/contracts';
import { readCalledAt } from '../called-at.ts';

/** Where a memory was read: its conversation, and the turns there. */
export interface MemorySource {
  readonly transcript: string;
  readonly session: string | undefined;
  /** The labels of its turns, as the memory tells them: `D1:1-D1:6` of an episode, `3,5` of a fact. */
  readonly turns: string;
  /** The fingerprints of those turns; none of a memory of before they were kept. */
  readonly hashes: readonly string[];
  /** The day on which they were said, `YYYY-MM-DD`; undefined when nobody knows. */
  readonly day: string | undefined;
  /** Where else the same was said. */
  readonly again: readonly SaidAgain[];
}

/** So many are remembered, the newest. */
const MAX_AGAIN = 50;

/** The metadata of a fact without what another conversation had said of it. */
export function withoutSaidAgain(known: JsonObject, again: JsonObject): JsonObject {
  const { transcript, hashes } = readSourceOf(again);
  const { [SAID_AGAIN_KEY]: _, ...rest } = known;
  const left = readSaidAgain(known).filter((one) => one.transcript !== transcript || !isSame(one.hashes, hashes));
  return left.length === 0 ? rest : { ...rest, [SAID_AGAIN_KEY]: JSON.stringify(left) };
}

/** What tells that another conversation says a fact too. */
export function toSaidAgain(known: JsonObject, again: JsonObject): JsonObject {
  const { transcript, hashes } = readSourceOf(again);
  const others = readSaidAgain(known).filter((one) => one.transcript !== transcript || !isSame(one.hashes, hashes));
  const all = [...others, ...readSaidAgain(again), { transcript, hashes }].slice(-MAX_AGAIN);
  return hashes.length === 0 ? {} : { [SAID_AGAIN_KEY]: JSON.stringify(all) };
}

const isSame = (one: readonly string[], other: readonly string[]): boolean => one.join() === other.join();

/** What a person corrected or deleted, and where that had been read. */
export interface Retraction extends MemorySource {
  /** The memory; a deleted one is gone. */
  readonly id: string;
  readonly how: RetractionKind;
  readonly isEpisode: boolean;
  /** Where an episode stands in its session. */
  readonly position: number | undefined;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const isOfEpisode = (metadata: JsonObject): boolean => metadata['memory_type'] === 'episode';

/** Where a memory was read, as its metadata tell. */
export function readSourceOf(metadata: JsonObject): MemorySource {
  const { transcript, session, turns, said_at: said, occurred_at: occurred } = metadata;
  // A fact may tell of another time than that of its words.
  const time = readCalledAt(metadata) !== undefined ? '' : textOf(isOfEpisode(metadata) ? occurred : said);
  return {
    transcript: textOf(transcript),
    session: typeof session === 'string' ? session : undefined,
    turns: textOf(turns),
    hashes: readTurnHashes(metadata),
    day: time === '' ? undefined : time.slice(0, 10),
    again: readSaidAgain(metadata),
  };
}

/** Reads what a document tells of a correction or deletion; undefined of one that tells of none. */
export function parseRetraction(id: string, metadata: JsonObject): Retraction | undefined {
  const how = readRetraction(metadata);
  if (how === undefined) return undefined;
  const { position, [retractionKeys.of]: gone } = metadata;
  return {
    ...readSourceOf(metadata),
    id: textOf(gone) || id,
    how,
    isEpisode: isOfEpisode(metadata),
    position: typeof position === 'number' ? position : undefined,
  };
}
