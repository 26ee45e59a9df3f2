import { ContextloomError } from '@contextloom/contracts';
import type { Remembered } from './remember.ts';

/** A message to the assistant. */
export interface ChatMessageRequest {
  readonly message: string;
  /** The message without what is marked as private, of which alone something is kept; empty where that was all. */
  readonly kept: string;
  readonly memorizing: boolean;
  readonly imageUris: readonly string[];
  /** Keeps conversations of one user apart. */
  readonly conversation: string;
  readonly signal: AbortSignal;
  /** Called with the answer while it is written. */
  readonly onText: (text: string) => void;
}

/**
 * Loads the images of a message, as data URIs; rejects with `ContextloomError`, which names `image_uris[n]`, for what may not be
 * loaded.
 */
export type LoadImages = (uris: readonly string[], signal: AbortSignal) => Promise<readonly string[]>;

/** A memory that a chat left behind. */
export interface MemoryUpdate extends Pick<Remembered, 'id' | 'kind' | 'type' | 'shown'> {
  readonly importance: number;
}

/** What a chat came to. */
export interface ChatOutcome {
  readonly response: string;
  readonly updates: readonly MemoryUpdate[];
  /** Whether a backend received the message that decides by itself what to keep and does not report it. */
  readonly isHandedOver?: boolean;
  /** Why nothing, or not everything, could be kept, in our own words. */
  readonly note?: string | undefined;
}

/** Answers messages with what is remembered of a user. */
export type Chat = (userId: string, request: ChatMessageRequest) => Promise<ChatOutcome>;

/** The error that says how to configure a missing model. */
export function noModel(): ContextloomError {
  const message =
    'memory_chat needs a model: set LLM_API_KEY (or OPENAI_API_KEY), or LLM_BASE_URL and LLM_MODEL (AI_MODEL) for any OpenAI-compatible endpoint';
  return new ContextloomError('unavailable', message);
}

/**
 * Refuses an empty answer: the model failed, even if it reports success.
 * @param who named in the error, such as `the model`
 */
export function requireAnswer(text: string, who: string): void {
  if (text.trim() !== '') return;
  throw new ContextloomError('unavailable', `${who} answered with nothing; try again`);
}
