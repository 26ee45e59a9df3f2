import type { Memory } from '@contextloom/contracts';
import { toInstant } from '@contextloom/retrieval/time';
import type { Extraction, ExtractionContext, Extractor, Usage } from '../extractor.ts';
import {
  type ExtractedMemory,
  type Provenance,
  toDocument,
  toEpisodeMemory,
  toEvidence,
  toFactMemory,
  toKeys,
  toShownMemory,
} from '../memory-documents.ts';
import { toEpisodeId, toFactId } from '../memory-id.ts';
import type { MemoryDocument, RecordedMemory } from '../memory-store.ts';
import { RULES } from '../rules-name.ts';
import type { Conversation } from '../transcript.ts';
import type { CountTokens } from '../windows/cut-text.ts';
import { type EpisodeWindow, toEpisodes, toTurnRange } from '../windows/episodes.ts';
import type { CutBasis } from '../windows/recorded-windows.ts';

/** A window with what an extractor is told besides. */
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
    yield { window, context: { previous: before?.session === window.session ? before : undefined, speakers } };
    before = window;
  }
}

/** A fact that is not saved, and why. */
export interface NotSaved {
  readonly content: string;
  /** Absent when it was not told. */
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
  /** What is saved; the episode comes last, so that a window counts as recorded only when its facts are. */
  readonly documents: readonly MemoryDocument[];
  /** The same as answers show it. */
  readonly shown: readonly Memory[];
  readonly notSaved: readonly NotSaved[];
  readonly failed: FailedPiece | undefined;
  readonly usage: Usage | undefined;
  /** Whether the window was read as it was to be; false when it is still to be read by a model. */
  readonly isFinal: boolean;
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

/** Reads one window and makes its memories. */
export async function extractWindow(reading: Reading, options: ExtractOptions): Promise<Extracted> {
  const { window, context, head, readBefore } = reading;
  const { extractor, threshold, provenance, signal } = options;
  const extraction = await extractor.extract(window, context, signal);
  const { episode, failure, usage } = extraction;
  const { transcript } = provenance;
  const isFinal = failure?.of !== 'model';
  const failed = failure && { source: `${transcript} ${toTurnRange(window)}`, reason: failure.reason };
  const isKept = readBefore !== undefined && failed !== undefined && extraction.facts.length === 0;
  if (isKept && !isFinal) return { documents: [], shown: [], notSaved: [], failed, usage, isFinal, knownFacts: 0 };
  // Saved with the facts of before: a run that goes on does not ask about it once more.
  const earlier = isKept ? readBefore : reading.earlier;
  const episodeId = toEpisodeId(provenance.userId, transcript, window);
  const { kept: facts, notSaved, leftOut } = sortFacts(extraction, threshold);
  const knownFacts = earlier?.facts ?? 0;
  const allLeftOut = leftOut + (earlier?.leftOut ?? 0);
  const ownOrigin: Provenance = {
    ...provenance,
    ...((facts.length > 0 || extractor.info.kind === 'model') && isFinal && { facts: knownFacts + facts.length }),
    // Signed by the rules that rated it, so that a later run has the model read it.
    ...(!isFinal && { extractor: RULES }),
    ...(allLeftOut > 0 && { leftOut: allLeftOut }),
    ...(head !== undefined && { head }),
    ...(failure?.of === 'answer' && { failure: failure.reason }),
    // Those of little importance too: not worth a line of their own, but true of what was said.
    keys: toKeys([...(earlier?.keys ?? []), ...extraction.facts.map(({ content }) => content)]),
  };
  const saidAt = window.calledAt ?? window.date;
  const said = saidAt === undefined ? {} : { saidAt: toInstant(saidAt) };
  const kept: readonly { id: string; memory: ExtractedMemory; origin: Provenance }[] = [
    ...facts.map((fact, index) => {
      const memory = toFactMemory(window, fact, transcript);
      const evidence = toEvidence(window, fact);
      const keys = toKeys(evidence.map(({ turn: { speaker, text } }) => `${speaker}: ${text}`));
      const episodeTurns = evidence.map(({ place }) => place);
      return {
        id: toFactId(episodeId, knownFacts + index + 1),
        memory,
        origin: { ...provenance, ...said, episodeId, episodeTurns, keys },
      };
    }),
    { id: episodeId, memory: toEpisodeMemory(window, episode, transcript), origin: ownOrigin },
  ];
  return {
    documents: kept.map(({ id, memory, origin }) => toDocument(id, memory, origin)),
    shown: kept.map(({ id, memory }) => toShownMemory(id, memory)),
    notSaved,
    failed,
    usage,
    isFinal,
    knownFacts,
  };
}
