import { createHash } from 'node:crypto';
import type { Conversation } from '@contextloom/transcripts/transcript';
import type { EpisodeWindow } from './windows/episodes.ts';

/** 128 bits of SHA-256: no two ids of a store are equal by chance. */
function digest(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
}

/**
 * What a conversation begins with, as a hash: who says the first words, and when if the turn itself has a time. It stays
 * the same however long the conversation grows. What the system says first is the same in all conversations of an application.
 */
export function toHead({ sessions }: Conversation): string {
  const first = sessions.flatMap(({ turns }) => turns).find(({ voice, text }) => voice !== 'system' && text !== '');
  return digest(first?.speaker ?? '', first?.text ?? '', first?.at ?? '').slice(0, 16);
}

/** The name of a conversation that has none, by its {@link toHead}; of several with one head, each has its number. */
export function toTranscriptId(head: string, number = 1): string {
  return number === 1 ? `conversation-${head}` : `conversation-${head}-${number}`;
}

/**
 * The id of an episode. It names the user and the transcript, so that the same transcript adds nothing twice and two users'
 * copies stay apart; and the window by its place and first turn only, so that a window that has grown replaces itself.
 */
export function toEpisodeId(userId: string, transcript: string, window: EpisodeWindow): string {
  const first = window.turns[0];
  return `episode-${digest(userId, transcript, window.session, window.ordinal, first?.speaker ?? '', first?.text ?? '')}`;
}

/**
 * The name of the sequence that the episodes of a session stand in. It is made of all that tells it from every other:
 * sessions of two conversations, or of two users, may be labelled alike.
 */
export function toSequence(userId: string, transcript: string, session: string): string {
  return `session-${digest(userId, transcript, session)}`;
}

/** The id of the n-th fact of an episode, from 1. */
export function toFactId(episodeId: string, ordinal: number): string {
  return `fact-${digest(episodeId, ordinal)}`;
}

/**
 * The fingerprint of a turn's words, by which they are known again in another file; the same words of two users have two. It is no
 * secret: who guesses the words can tell that they were these.
 */
export function toTurnHash(userId: string, text: string): string {
  return digest('turn', userId, text.normalize('NFKC').toLowerCase().replace(/\s+/gu, ' ').trim()).slice(0, 12);
}

/** The id of the decision about a new fact and a known one. */
export function toDecisionId(fact: string, known: string): string {
  return `decision-${digest(fact, known)}`;
}

/** The id of a memory that was saved by itself: the same words of the same user are one memory. */
export function toLooseMemoryId(userId: string, content: string): string {
  return `memory-${digest(userId, content)}`;
}
