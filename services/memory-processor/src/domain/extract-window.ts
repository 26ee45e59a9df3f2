import type { Memory } from '@contextloom/contracts';
import type { MemoryDocument } from '../store/memory-store.ts';
import { type CountTokens, type EpisodeWindow, toEpisodes } from './episodes.ts';
import type { ExtractionContext, Extractor } from './extractor.ts';
import {
  type ExtractedMemory,
  type Provenance,
  toDocument,
  toEpisodeMemory,
  toFactMemory,
  toShownMemory,
} from './memory-documents.ts';
import { toEpisodeId, toFactId } from './memory-id.ts';
import type { Conversation } from './transcript.ts';

/** A window with what an extractor is told besides. */
export interface Reading {
  readonly window: EpisodeWindow;
  readonly context: ExtractionContext;
}

/** Cuts a conversation into windows, each with its surroundings. */
export function toReadings(conversation: Conversation, countTokens: CountTokens): readonly Reading[] {
  const speakers = [...new Set(conversation.sessions.flatMap(({ turns }) => turns.map(({ speaker }) => speaker)))];
  return toEpisodes(conversation, countTokens).map((window, index, all) => {
    const before = all[index - 1];
    return { window, context: { previous: before?.session === window.session ? before : undefined, speakers } };
  });
}

/** A fact that was left out, and why. */
export interface NotSaved {
  readonly content: string;
  readonly importance: number;
  readonly reason: string;
}

/** What one window came to. */
export interface Extracted {
  /** What is saved; the episode comes last, so that a window counts as recorded only when its facts are. */
  readonly documents: readonly MemoryDocument[];
  /** The same as answers show it. */
  readonly shown: readonly Memory[];
  readonly notSaved: readonly NotSaved[];
}

/** How windows are read. */
export interface ExtractOptions {
  readonly extractor: Extractor;
  /** Facts of less importance are left out, 1 to 10; 0 keeps all. */
  readonly threshold: number;
  readonly provenance: Provenance;
  readonly signal: AbortSignal;
}

/** Reads one window and makes its memories. */
export async function extractWindow({ window, context }: Reading, options: ExtractOptions): Promise<Extracted> {
  const { extractor, threshold, provenance, signal } = options;
  const { episode, facts } = await extractor.extract(window, context, signal);
  const episodeId = toEpisodeId(provenance.userId, provenance.transcript, window);
  const notSaved = facts
    .filter(({ importance }) => importance < threshold)
    .map(({ content, importance }) => ({ content, importance, reason: `importance below ${threshold}` }));
  const kept: readonly { id: string; memory: ExtractedMemory; origin: Provenance }[] = [
    ...facts.flatMap((fact, index) => {
      if (fact.importance < threshold) return [];
      const memory = toFactMemory(window, fact, provenance.transcript);
      return [{ id: toFactId(episodeId, index + 1), memory, origin: { ...provenance, episodeId } }];
    }),
    {
      id: episodeId,
      memory: toEpisodeMemory(window, episode, provenance.transcript),
      origin: { ...provenance, ...(notSaved.length > 0 && { leftOut: notSaved.length }) },
    },
  ];
  return {
    documents: kept.map(({ id, memory, origin }) => toDocument(id, memory, origin)),
    shown: kept.map(({ id, memory }) => toShownMemory(id, memory)),
    notSaved,
  };
}
