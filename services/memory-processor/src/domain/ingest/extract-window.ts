import type { Memory } from '@contextloom/contracts';
import { toInstant } from '@contextloom/retrieval/time';
import type { Conversation } from '@contextloom/transcripts/transcript';
import type { Extraction, ExtractionContext, Extractor, Usage } from '../extractor.ts';
import {
  createToSpeaker,
  type ExtractedMemory,
  type Provenance,
  toDocument,
  toEpisodeMemory,
  toEvidence,
  toFactMemory,
  toKeys,
  toShownMemory,
} from '../memory-documents.ts';
import { toEpisodeId, toFactId, toTurnHash } from '../memory-id.ts';
import type { MemoryDocument, RecordedMemory } from '../memory-store.ts';
import { RULES } from '../rules-name.ts';
import type { CountTokens } from '../windows/cut-text.ts';
import { type EpisodeWindow, toEpisodes, toTurnRange } from '../windows/episodes.ts';
import type { CutBasis } from '../windows/recorded-windows.ts';
import type { WindowTurn } from '../windows/window-turns.ts';

/** A window with what else an extractor gets. */
export interface Reading {
  readonly window: EpisodeWindow;
  readonly context: ExtractionContext;
  /** What an earlier version of the window came to, when only what is new in it is read. */
  readonly earlier?: RecordedMemory;
  /** What a model has drawn from these very words before: it stays where nothing can be drawn now. */
  readonly readBefore?: RecordedMemory;
  /** The hash that finds the conversation again by its first turn; on its first window, if it has no name of its own. */
  readonly head?: string;
}

/** Cuts a conversation into windows, each with its surroundings; what is recorded keeps its windows. */
export function* toReadings(
  conversation: Conversation,
  countTokens: CountTokens,
  basis?: CutBasis,
): Generator<Reading> {
  const speakers = [...new Set(conversation.sessions.flatMap(({ turns }) => turns.map(({ speaker }) => speaker)))];
  let before: EpisodeWindow | undefined;
  for (const window of toEpisodes(conversation, countTokens, basis)) {
    const isBefore = before?.session === window.session && before.retraction === undefined;
    yield { window, context: { previous: isBefore ? before : undefined, speakers } };
    before = window;
  }
}

/** A fact that is not saved, and why. */
export interface NotSaved {
  readonly content: string;
  /** Absent when it was not stated. */
  readonly importance?: number;
  readonly reason: string;
}

/** A window from which no facts could be drawn, or not all, and why. */
export interface FailedPiece {
  /** Where in the conversation: transcript and turns. */
  readonly source: string;
  readonly reason: string;
}

/** What one window came to. */
export interface Extracted {
  /** The id of its episode. */
  readonly episodeId: string;
  /** What is saved; the episode comes last, so that a window counts as recorded only when its facts are. */
  readonly documents: readonly MemoryDocument[];
  /** The same as answers show it. */
  readonly shown: readonly Memory[];
  readonly notSaved: readonly NotSaved[];
  readonly failed: FailedPiece | undefined;
  readonly usage: Usage | undefined;
  /** Whether the window was read as it was to be; false when it is still to be read by a model. */
  readonly isFinal: boolean;
  /** When there is a budget for reading it, if that is what it waits for. */
  readonly waitsUntil?: Date | undefined;
  /** How many facts of an earlier version of the window stay. */
  readonly knownFacts: number;
}

/** How windows are read. */
export interface ExtractOptions {
  readonly extractor: Extractor;
  /** Facts of less importance are left out, 1 to 10; 0 keeps all. */
  readonly threshold: number;
  readonly provenance: Provenance;
  readonly signal: AbortSignal;
  /** Whether an id is that of a fact which stays, or of one that was deleted: no new fact gets it. */
  readonly isTaken: (factId: string) => boolean;
}

/** The facts worth keeping, and those that are not, with the reason. */
export function sortFacts({ facts, rejected = [] }: Extraction, threshold: number) {
  const below = facts.filter(({ importance }) => importance < threshold);
  const notSaved: readonly NotSaved[] = [
    ...below.map(({ content, importance }) => ({ content, importance, reason: `importance below ${threshold}` })),
    ...rejected,
  ];
  return { kept: facts.filter(({ importance }) => importance >= threshold), notSaved, leftOut: below.length };
}

interface FreeIds {
  /** The ordinal that they come after. */
  readonly after: number;
  readonly count: number;
  readonly isTaken: ExtractOptions['isTaken'];
}

/** The next ids of facts of an episode that none has. */
function toFreeIds(episodeId: string, { after, count, isTaken }: FreeIds) {
  const free: { readonly ordinal: number; readonly id: string }[] = [];
  for (let ordinal = after + 1; free.length < count; ordinal += 1) {
    const id = toFactId(episodeId, ordinal);
    if (!isTaken(id)) free.push({ ordinal, id });
  }
  return free;
}

/** Reads one window and makes its memories. */
export async function extractWindow(reading: Reading, options: ExtractOptions): Promise<Extracted> {
  const { window, context, head, readBefore } = reading;
  const { extractor, threshold, provenance, signal, isTaken } = options;
  const extraction = await extractor.extract(window, context, signal);
  const { episode, failure, usage } = extraction;
  const { transcript, userId } = provenance;
  const saying = { transcript, toSpeaker: createToSpeaker({ id: userId, name: context.user?.name }) };
  const isFinal = failure?.of !== 'model';
  const failed = failure && { source: `${transcript} ${toTurnRange(window)}`, reason: failure.reason };
  const episodeId = toEpisodeId(provenance.userId, transcript, window);
  const isKept = readBefore !== undefined && failed !== undefined && extraction.facts.length === 0;
  const read = { episodeId, failed, usage, isFinal, waitsUntil: failure?.until };
  if (isKept && !isFinal) return { ...read, documents: [], shown: [], notSaved: [], knownFacts: 0 };
  // Saved with the facts of before: a run that goes on does not ask about it once more.
  const earlier = isKept ? readBefore : reading.earlier;
  const { kept: facts, notSaved, leftOut } = sortFacts(extraction, threshold);
  const knownFacts = earlier?.facts ?? 0;
  const ids = toFreeIds(episodeId, { after: knownFacts, count: facts.length, isTaken });
  const allLeftOut = leftOut + (earlier?.leftOut ?? 0);
  const toHashes = (turns: readonly WindowTurn[]) => turns.map(({ text }) => toTurnHash(provenance.userId, text));
  const ownOrigin: Provenance = {
    ...provenance,
    ...((facts.length > 0 || extractor.info.kind === 'model') &&
      isFinal && { facts: ids.at(-1)?.ordinal ?? knownFacts }),
    // Signed by the rules that rated it, so that a later run has the model read it.
    ...(!isFinal && { extractor: RULES }),
    ...(allLeftOut > 0 && { leftOut: allLeftOut }),
    ...(head !== undefined && { head }),
    ...(failure?.of === 'answer' && { failure: failure.reason }),
    turnHashes: toHashes(window.turns),
    // Those of little importance too: not worth a line of their own, but true of what was said.
    keys: toKeys([...(earlier?.keys ?? []), ...extraction.facts.map(({ content }) => content)]),
  };
  const saidAt = window.calledAt ?? window.date;
  const said = saidAt === undefined ? {} : { saidAt: toInstant(saidAt) };
  const kept: readonly { id: string; memory: ExtractedMemory; origin: Provenance }[] = [
    ...facts.map((fact, index) => {
      const memory = toFactMemory(window, fact, saying);
      const evidence = toEvidence(window, fact);
      const turns = evidence.map(({ turn }) => turn);
      const keys = toKeys(turns.map(({ speaker, text }) => `${speaker}: ${text}`));
      const turnHashes = toHashes(turns.length === 0 ? window.turns : turns);
      const episodeTurns = evidence.map(({ place }) => place);
      return {
        id: ids[index]?.id ?? '',
        memory,
        origin: { ...provenance, ...said, episodeId, episodeTurns, keys, turnHashes },
      };
    }),
    { id: episodeId, memory: toEpisodeMemory(window, episode, saying), origin: ownOrigin },
  ];
  return {
    ...read,
    documents: kept.map(({ id, memory, origin }) => toDocument(id, memory, origin)),
    shown: kept.map(({ id, memory }) => toShownMemory(id, memory)),
    notSaved,
    knownFacts,
  };
}
