import {
  EPISODE_TAG,
  MAX_KEY_LENGTH,
  MAX_KEYS,
  MEMORY_TAG,
  type Memory,
  type Trust,
  TURN_HASHES_KEY,
  toTrustMetadata,
} from '@contextloom/contracts';
import { toSpeakerTrust } from '@contextloom/retrieval';
import { toInstant } from '@contextloom/retrieval/time';
import { BY_CALL } from './called-at.ts';
import type { EpisodeRating, Fact, MemoryOwner } from './extractor.ts';
import { findSaidBy, type ToSpeaker, toSpeakers } from './grounding/said-by.ts';
import { toSequence } from './memory-id.ts';
import type { MemoryDocument } from './memory-store.ts';
import { type EpisodeWindow, toTurnRange } from './windows/episodes.ts';
import { toPosition, type WindowTurn } from './windows/window-turns.ts';

/** A memory before it has an id: what an extractor made of a window. */
export interface ExtractedMemory extends Omit<Memory, 'id'> {
  /** Where in the conversation it was said: session, and turns such as `D1:1-D1:6`. */
  readonly session: string;
  readonly turns: string;
  /** Where an episode stands in its session, which lets a search lift those around it; a fact stands alone. */
  readonly position?: number;
  /** Who said it. */
  readonly saidBy: readonly Trust[];
  /** Whether it happened when it was said, and that is when the call came that brought it: nothing else told. */
  readonly isDatedByCall?: boolean;
}

/** Under what a memory is saved, besides what it says. */
export interface Provenance {
  readonly userId: string;
  readonly transcript: string;
  /** What people call the conversation. */
  readonly title?: string | undefined;
  /** Name of the extractor. */
  readonly extractor: string;
  /** ISO 8601 UTC. */
  readonly createdAt: string;
  /** The episode that a fact was drawn from. */
  readonly episodeId?: string;
  /** Which turns of that episode say it, by their places in it from 1. */
  readonly episodeTurns?: readonly number[];
  /** How many facts of an episode were left out as of too little importance. */
  readonly leftOut?: number;
  /** How many facts are saved with an episode. */
  readonly facts?: number;
  /** Why no facts could be drawn from an episode, or not all. */
  readonly failure?: string;
  /** What an episode is found by besides its words. */
  readonly keys?: readonly string[];
  /** When it was said, ISO 8601 UTC; a fact may tell of another time. */
  readonly saidAt?: string;
  /** The fingerprints of the turns that it was read from. */
  readonly turnHashes?: readonly string[];
  /** The hash of its first turn, on the first window of a conversation without a name. */
  readonly head?: string;
}

/** Tags that the knowledge base takes: each once, without blanks around it, at most 16 besides ours. */
function toTags(own: readonly string[], further: readonly string[]): string[] {
  const clean = further.map((tag) => tag.trim().slice(0, 64)).filter((tag) => tag !== '');
  return [...new Set([...own, ...clean.slice(0, 16)])];
}

/** Where a memory was said, and who its speakers are. */
export interface Saying {
  readonly transcript: string;
  readonly toSpeaker: ToSpeaker;
}

/** Who the speakers of a conversation with this user are. */
export function createToSpeaker({ id, name }: MemoryOwner): ToSpeaker {
  const names = { user: [id ?? '', name ?? ''] };
  return ({ voice, speaker }) => (voice === 'assistant' ? voice : toSpeakerTrust(speaker, names));
}

/** A window as the memory that keeps it word for word. */
export function toEpisodeMemory(
  window: EpisodeWindow,
  rating: EpisodeRating,
  { transcript, toSpeaker }: Saying,
): ExtractedMemory {
  const turns = toTurnRange(window);
  return {
    content: window.content,
    importance: rating.importance,
    memory_type: 'episode',
    tags: toTags([MEMORY_TAG, EPISODE_TAG], rating.tags),
    ...(window.date !== undefined && { occurred_at: toInstant(window.date) }),
    ...(rating.valence !== undefined && { emotional_valence: rating.valence }),
    source: `${transcript} ${turns}`,
    session: window.session,
    turns,
    position: toPosition(window),
    saidBy: toSpeakers(window.turns, toSpeaker),
    ...(window.calledAt !== undefined && { isDatedByCall: true }),
  };
}

/** A fact as a memory; it happened when its window was said, unless it tells otherwise. */
export function toFactMemory(window: EpisodeWindow, fact: Fact, { transcript, toSpeaker }: Saying): ExtractedMemory {
  const turns = fact.evidence.length === 0 ? toTurnRange(window) : fact.evidence.join(',');
  const evidence = toEvidence(window, fact).map(({ turn }) => turn);
  const occurredAt = fact.occurredAt ?? window.calledAt ?? window.date;
  return {
    content: fact.content,
    importance: fact.importance,
    memory_type: fact.memoryType,
    tags: toTags([MEMORY_TAG], fact.tags),
    ...(occurredAt !== undefined && { occurred_at: toInstant(occurredAt) }),
    ...(fact.occurredOn !== undefined && { occurred_on: fact.occurredOn }),
    ...(fact.endedAt !== undefined && { ended_at: toInstant(fact.endedAt) }),
    ...(fact.endedOn !== undefined && { ended_on: fact.endedOn }),
    ...(fact.valence !== undefined && { emotional_valence: fact.valence }),
    source: `${transcript} ${turns}`,
    session: window.session,
    turns,
    saidBy: findSaidBy(fact.content, evidence.length === 0 ? window.turns : evidence, toSpeaker),
    ...(fact.occurredAt === undefined && window.calledAt !== undefined && { isDatedByCall: true }),
  };
}

/** A memory as the document that keeps it; every value of the metadata is a scalar, so that each can be filtered by. */
export function toDocument(id: string, memory: ExtractedMemory, provenance: Provenance): MemoryDocument {
  const {
    userId,
    transcript,
    title,
    extractor,
    createdAt,
    episodeId,
    episodeTurns = [],
    leftOut,
    facts,
    failure,
    keys = [],
    head,
    saidAt,
    turnHashes = [],
  } = provenance;
  const { session, position } = memory;
  return {
    doc_id: id,
    content: memory.content,
    tags: memory.tags,
    ...(keys.length > 0 && { keys: [...keys] }),
    metadata: {
      user_id: userId,
      importance: memory.importance,
      memory_type: memory.memory_type,
      created_at: createdAt,
      ...(memory.occurred_at !== undefined && { occurred_at: memory.occurred_at }),
      ...(memory.occurred_on !== undefined && { occurred_on: memory.occurred_on }),
      ...(memory.ended_at !== undefined && { ended_at: memory.ended_at }),
      ...(memory.ended_on !== undefined && { ended_on: memory.ended_on }),
      ...(memory.isDatedByCall && { occurred_at_source: BY_CALL }),
      ...(memory.emotional_valence !== undefined && { emotional_valence: memory.emotional_valence }),
      transcript,
      ...(title !== undefined && { title }),
      session,
      turns: memory.turns,
      ...(position !== undefined && { sequence: toSequence(userId, transcript, session), position }),
      extractor,
      ...toTrustMetadata(memory.saidBy),
      ...(episodeId !== undefined && { episode: episodeId }),
      ...(episodeTurns.length > 0 && { episode_turns: episodeTurns.join(',') }),
      ...(leftOut !== undefined && { left_out: leftOut }),
      ...(facts !== undefined && { facts }),
      ...(failure !== undefined && { extraction_failure: failure }),
      ...(head !== undefined && { head }),
      ...(saidAt !== undefined && { said_at: saidAt }),
      ...(turnHashes.length > 0 && { [TURN_HASHES_KEY]: turnHashes.join(',') }),
    },
  };
}

/** The turns that say a fact, each with its place in the window from 1. */
export function toEvidence(
  { turns }: EpisodeWindow,
  { evidence }: Fact,
): readonly { readonly place: number; readonly turn: WindowTurn }[] {
  return turns.map((turn, at) => ({ place: at + 1, turn })).filter(({ turn }) => evidence.includes(turn.label));
}

/** Texts as the keys of a document: an episode is found by its facts, and a fact by the turns that say it. */
export function toKeys(texts: readonly string[]): readonly string[] {
  return [...new Set(texts.filter(({ length }) => length <= MAX_KEY_LENGTH))].slice(0, MAX_KEYS);
}

/** What a memory says, without its place in the conversation. */
export function withoutPlace({
  session: _session,
  turns: _turns,
  position: _position,
  isDatedByCall: _isDatedByCall,
  saidBy: _saidBy,
  ...said
}: ExtractedMemory): Omit<Memory, 'id'> {
  return said;
}

/** A memory as answers show it. */
export function toShownMemory(id: string, memory: ExtractedMemory): Memory {
  return { id, ...withoutPlace(memory) };
}
