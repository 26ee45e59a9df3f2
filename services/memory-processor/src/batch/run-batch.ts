import { ContextloomError, type ExtractorInfo, isContextloomError } from '@contextloom/contracts';
import { parseTranscript } from '../domain/formats/transcript-text.ts';
import type { MemoryProcessor } from '../domain/memory-processor.ts';
import { parseMoment } from '../domain/moments.ts';
import type { Conversation } from '../domain/transcript.ts';

/** What to remember, and for whom. */
export interface BatchRequest {
  readonly files: readonly string[];
  /** The user of every conversation; without it, each conversation's own id. */
  readonly userId: string | undefined;
  /** Names the conversation, when there is only one. */
  readonly transcriptId: string | undefined;
  /** When the conversations took place, for turns without a date. */
  readonly date: string | undefined;
}

/** What became of one conversation. */
export interface ConversationReport {
  readonly file: string;
  readonly transcript: string;
  readonly user_id: string;
  readonly windows: number;
  readonly saved: number;
  readonly known: number;
}

/** What the whole run came to. */
export interface BatchReport {
  readonly extractor: ExtractorInfo;
  readonly conversations: readonly ConversationReport[];
  /** Files that could not be read, with the reason. */
  readonly failed: readonly { readonly file: string; readonly error: string }[];
  /** Whether the run was ended before all was done. */
  readonly isStopped: boolean;
  readonly seconds: number;
}

/** What a run works with. */
export interface BatchDeps {
  readonly processor: MemoryProcessor;
  readonly readText: (file: string) => Promise<string>;
  /** Ends the run after the batch under way. */
  readonly signal: AbortSignal;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly onProgress: (name: string, done: number, total: number) => void;
  readonly onConversation: (report: ConversationReport) => void;
  readonly onFailure: (file: string, error: string) => void;
}

async function readConversations(file: string, request: BatchRequest, deps: BatchDeps) {
  const text = await deps.readText(file).catch((cause: unknown) => {
    throw new ContextloomError('invalid', 'the file cannot be read', { cause });
  });
  const conversations = parseTranscript(text, request.date === undefined ? undefined : parseMoment(request.date));
  if (request.transcriptId !== undefined && conversations.length > 1) {
    throw new ContextloomError(
      'invalid',
      `it holds ${conversations.length} conversations, and --transcript-id names one`,
    );
  }
  return conversations;
}

function toUserId({ id }: Conversation, { userId }: BatchRequest): string {
  const user = userId ?? id;
  if (user !== undefined) return user;
  throw new ContextloomError(
    'invalid',
    'a conversation in it has no id to take the user from; name the user with --user',
  );
}

async function processFile(file: string, request: BatchRequest, deps: BatchDeps): Promise<void> {
  const conversations = await readConversations(file, request, deps);
  const owned = conversations.map((conversation) => ({ conversation, userId: toUserId(conversation, request) }));
  for (const { conversation, userId } of owned) {
    if (deps.signal.aborted) return;
    const { transcript, windows, saved, known } = await deps.processor.processConversation(
      { userId, conversation, transcriptId: request.transcriptId },
      { signal: deps.signal, onProgress: (done, total) => deps.onProgress(conversation.id ?? file, done, total) },
    );
    deps.onConversation({ file, transcript, user_id: userId, windows, saved: saved.length, known });
  }
}

/**
 * Remembers the conversations of all files. A file that cannot be read is reported and the rest goes on; a knowledge base
 * that cannot be reached ends the run with its error.
 */
export async function runBatch(request: BatchRequest, deps: BatchDeps): Promise<BatchReport> {
  const start = deps.now();
  const conversations: ConversationReport[] = [];
  const failed: { file: string; error: string }[] = [];
  const onConversation = (report: ConversationReport): void => {
    conversations.push(report);
    deps.onConversation(report);
  };
  for (const file of request.files) {
    if (deps.signal.aborted) break;
    try {
      await processFile(file, request, { ...deps, onConversation });
    } catch (error) {
      if (!isContextloomError(error)) throw error;
      // Ctrl-C on a terminal also ends the knowledge base that was started for this run.
      if (deps.signal.aborted && error.code === 'unavailable') break;
      if (error.code !== 'invalid') throw error;
      failed.push({ file, error: error.message });
      deps.onFailure(file, error.message);
    }
  }
  const seconds = Math.round((deps.now() - start) / 100) / 10;
  return { extractor: deps.processor.extractor, conversations, failed, isStopped: deps.signal.aborted, seconds };
}
