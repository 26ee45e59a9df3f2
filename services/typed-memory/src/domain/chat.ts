import { ContextloomError } from '@contextloom/contracts';
import type { Remembered } from './remember.ts';

/** What is said to the assistant. */
export interface ChatMessageRequest {
  readonly message: string;
  readonly memorizing: boolean;
  readonly imageUris: readonly string[];
  /** Keeps conversations of one user apart. */
  readonly conversation: string;
  readonly signal: AbortSignal;
  /** Told of the answer as it is written. */
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
  /** Whether the message was handed to a backend that keeps of it what it likes, and tells nothing of it. */
  readonly isHandedOver?: boolean;
  /** Why nothing could be kept, or not all of it, in words of ours. */
  readonly note?: string | undefined;
}

/** Answers messages with what is remembered of a user. */
export type Chat = (userId: string, request: ChatMessageRequest) => Promise<ChatOutcome>;

/** Says how to configure a model where there is none. */
export function noModel(): ContextloomError {
  const message =
    'memory_chat needs a model: set LLM_API_KEY (or OPENAI_API_KEY), or LLM_BASE_URL and LLM_MODEL (AI_MODEL) for any OpenAI-compatible endpoint';
  return new ContextloomError('unavailable', message);
}

/**
 * Refuses an answer without a word in it: whoever gave it has failed, even if it does not say so.
 * @param who named in the error, such as `the model`
 */
export function requireAnswer(text: string, who: string): void {
  if (text.trim() !== '') return;
  throw new ContextloomError('unavailable', `${who} answered with nothing; try again`);
}
