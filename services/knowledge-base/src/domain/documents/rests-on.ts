import { createHash } from 'node:crypto';
import {
  DERIVED_FROM_KEY,
  EPISODE_KEY,
  EPISODE_TURNS_KEY,
  type JsonObject,
  MEMORY_TAG,
  readEpisode,
  readSaidAgain,
  readSources,
  readTurnHashes,
  SAID_AGAIN_KEY,
  type SaidAgain,
  SOURCE_CHANGED_KEY,
  SOURCE_KEY,
  SOURCE_TAGS_KEY,
  SOURCE_WORDS_KEY,
  SUPERSEDED_TAG,
  TURN_HASHES_KEY,
  TYPED_TAG,
} from '@contextloom/contracts';
import type { KeyedDocument } from '../store.ts';

/** A source that changed, and the document that it is, where it is one. */
export interface ChangedSource {
  readonly addresses: readonly string[];
  readonly before?: KeyedDocument | undefined;
  /** What it says now; absent of one that is gone, or that is elsewhere. */
  readonly after?: KeyedDocument | undefined;
}

const isEpisode = ({ metadata }: KeyedDocument): boolean => metadata['memory_type'] === 'episode';

/** The words of an episode that a document rests on: those of its turns, or all where it does not say which. */
function readEvidence({ metadata }: KeyedDocument, { content }: KeyedDocument): readonly string[] {
  const { turns } = readEpisode(content);
  const places = String(metadata[EPISODE_TURNS_KEY] ?? '')
    .split(',')
    .map(Number);
  const named = turns.filter((_, at) => places.includes(at + 1));
  return (named.length === 0 ? turns : named).map(({ text }) => text);
}

const toPrint = (words: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 16);

/** The words that a document was drawn from, as a source has them. */
const readWords = (drawn: KeyedDocument, source: KeyedDocument): readonly string[] =>
  isEpisode(source) ? readEvidence(drawn, source) : [source.content];

/** Whether what a document was drawn from still stands in its source. */
export function stillStands(drawn: KeyedDocument, { before, after }: ChangedSource): boolean {
  if (before === undefined || after === undefined) return false;
  if (before.content === after.content) return true;
  const now = new Set(isEpisode(after) ? readEpisode(after.content).turns.map(({ text }) => text) : [after.content]);
  return readWords(drawn, before).every((words) => now.has(words));
}

/** Whether the source of a marked document says again what the document was drawn from. */
export function saysAgain(drawn: KeyedDocument, { after }: ChangedSource): boolean {
  const print = drawn.metadata[SOURCE_WORDS_KEY];
  return after !== undefined && print !== undefined && toPrint(readWords(drawn, after)) === print;
}

/** Whether prompts and lists find a document by a tag. */
const isFoundBy = (tag: string): boolean => tag === MEMORY_TAG || tag.startsWith(`${TYPED_TAG}/`);

/** A document whose source says something else now: prompts leave it out. */
export function toMarked(drawn: KeyedDocument, { before }: ChangedSource, at: string): KeyedDocument {
  const print = before === undefined ? {} : { [SOURCE_WORDS_KEY]: toPrint(readWords(drawn, before)) };
  return {
    ...drawn,
    tags: [...drawn.tags.filter((tag) => !isFoundBy(tag)), SUPERSEDED_TAG],
    metadata: { ...drawn.metadata, [SOURCE_CHANGED_KEY]: at, [SOURCE_TAGS_KEY]: [...drawn.tags], ...print },
  };
}

/** The document as it was before it was marked. */
export function toUnmarked(drawn: KeyedDocument): KeyedDocument {
  const {
    [SOURCE_CHANGED_KEY]: _at,
    [SOURCE_WORDS_KEY]: _words,
    [SOURCE_TAGS_KEY]: tags,
    ...metadata
  } = drawn.metadata;
  const had = Array.isArray(tags) ? tags.filter((tag): tag is string => typeof tag === 'string') : drawn.tags;
  return { ...drawn, tags: had, metadata };
}

/** Whether all turns of one are among those of an episode. */
export function isSaidIn({ transcript, hashes }: SaidAgain, { metadata }: KeyedDocument): boolean {
  const own = new Set(readTurnHashes(metadata));
  return metadata[SOURCE_KEY] === transcript && hashes.length > 0 && hashes.every((hash) => own.has(hash));
}

/** The keys of a document without the words of a source that is gone. */
function withoutWords(keys: readonly string[] | undefined, source: KeyedDocument | undefined): readonly string[] {
  if (source === undefined) return keys ?? [];
  const words = new Set([
    source.content,
    ...readEpisode(source.content).turns.map((turn) => `${turn.speaker ?? ''}: ${turn.words}`),
  ]);
  return (keys ?? []).filter((key) => !words.has(key));
}

function withAgain(metadata: JsonObject, again: readonly SaidAgain[]): JsonObject {
  const { [SAID_AGAIN_KEY]: _, ...rest } = metadata;
  const mentions = Number(metadata['mentions'] ?? 2) - 1;
  return {
    ...rest,
    ...(metadata['mentions'] !== undefined && { mentions: Math.max(1, mentions) }),
    ...(again.length > 0 && { [SAID_AGAIN_KEY]: JSON.stringify(again) }),
  };
}

const withKeys = (document: KeyedDocument, keys: readonly string[]): KeyedDocument => ({
  ...document,
  keys: [...keys],
});

/** A document that was said elsewhere too, without the conversation that is gone. */
export function toLessAgain(drawn: KeyedDocument, source: KeyedDocument): KeyedDocument | undefined {
  const again = readSaidAgain(drawn.metadata);
  const left = again.filter((one) => !isSaidIn(one, source));
  if (left.length === again.length) return undefined;
  return withKeys({ ...drawn, metadata: withAgain(drawn.metadata, left) }, withoutWords(drawn.keys, source));
}

/** A document without some of what it was drawn from. */
export function withoutSources(
  drawn: KeyedDocument,
  gone: ReadonlySet<string>,
  source: KeyedDocument | undefined,
): KeyedDocument {
  const { [DERIVED_FROM_KEY]: listed, ...metadata } = drawn.metadata;
  const left = readSources({ [DERIVED_FROM_KEY]: listed ?? null }).filter((address) => !gone.has(address));
  const kept = left.length === 0 ? metadata : { ...metadata, [DERIVED_FROM_KEY]: left };
  return withKeys({ ...drawn, metadata: kept }, withoutWords(drawn.keys, source));
}

/** A document whose episode is gone, as drawn from another one that says the same. */
export function toOtherEpisode(drawn: KeyedDocument, other: KeyedDocument, again: SaidAgain): KeyedDocument {
  const { [EPISODE_TURNS_KEY]: _turns, ...metadata } = drawn.metadata;
  const { session, turns } = other.metadata;
  const left = readSaidAgain(drawn.metadata).filter(
    (one) => !(one.transcript === again.transcript && one.hashes.join() === again.hashes.join()),
  );
  return {
    ...drawn,
    metadata: {
      ...withAgain(metadata, left),
      [EPISODE_KEY]: other.id,
      [SOURCE_KEY]: again.transcript,
      [TURN_HASHES_KEY]: again.hashes.join(','),
      ...(session !== undefined && { session }),
      ...(turns !== undefined && { turns }),
    },
  };
}
