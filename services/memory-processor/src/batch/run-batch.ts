import { ContextloomError, isContextloomError, parseInput, userIdSchema } from '@contextloom/contracts';
import { parseMoment } from '@contextloom/retrieval/time';
import { type FoundConversation, type ReadSourceOptions, readSource, type Source } from '@contextloom/transcripts';
import { toModelUsage } from '../answers.ts';
import {
  type ConversationPool,
  createConversationPool,
  toConversationKey,
} from '../domain/ingest/conversation-pool.ts';
import type { RecordOutcome, RecordRequest } from '../domain/ingest/recording.ts';
import type { MemoryProcessor } from '../domain/memory-processor.ts';
import { sumUsage } from '../domain/usage.ts';
import type { BatchReport, ConversationReport } from './report.ts';

/** What to remember, and for whom. */
export interface BatchRequest {
  readonly files: readonly string[];
  /** The user of every conversation; without it, each conversation's own id. */
  readonly userId: string | undefined;
  /** Names the conversation, when there is only one. */
  readonly transcriptId: string | undefined;
  /** When the conversations took place, for turns without a date. */
  readonly date: string | undefined;
  /** Saves facts of little importance too. */
  readonly forceSave: boolean;
  /** Reads those windows again from which no facts could be drawn. */
  readonly retryFailed: boolean;
  /** Reads all windows again. */
  readonly reread?: boolean;
  /** When a reading again began that was ended early, ISO 8601 UTC. */
  readonly rereadSince?: string | undefined;
  /** Only tells what it would ask of the model. */
  readonly dryRun: boolean;
}

/** What a run works with. */
export interface BatchDeps {
  readonly processor: MemoryProcessor;
  /** Opens a file, a folder or an archive; rejects with `ContextloomError` for what cannot be opened. */
  readonly open: (file: string) => Promise<Source>;
  /** Ends the run after the batch under way. */
  readonly signal: AbortSignal;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
  readonly onProgress: (name: string, done: number, total: number) => void;
  readonly onConversation: (report: ConversationReport) => void;
  readonly onFailure: (file: string, error: string) => void;
}

/** Conversations end in any order, and are reported in the order of the files. */
interface OrderedDeps extends BatchDeps {
  /** Keeps the next place of the report; what is returned takes what is put there. */
  readonly reserve: () => (report: ConversationReport) => void;
  readonly pool: ConversationPool;
  readonly fail: (file: string, error: string) => void;
}

interface OwnedConversation {
  readonly conversation: FoundConversation;
  readonly userId: string;
  /** Names it, instead of its own id. */
  readonly transcriptId: string | undefined;
}

function toOwned(conversation: FoundConversation, { userId, transcriptId }: BatchRequest): OwnedConversation {
  const owner = userId ?? conversation.of ?? conversation.id;
  if (owner === undefined)
    throw new ContextloomError(
      'invalid',
      'a conversation in it has no id to take the user from; name the user with --user',
    );
  const { part } = conversation;
  const named = transcriptId === undefined || part === undefined ? transcriptId : `${transcriptId} (${part})`;
  return { conversation, userId: parseInput(userIdSchema, owner, ['user_id']), transcriptId: named };
}

/** What is wrong with the conversations of a source as a whole, before anything of it is saved. */
async function checkSource(source: Source, read: ReadSourceOptions, request: BatchRequest): Promise<void> {
  // With a user and no name for the conversation, nothing can be.
  if (request.transcriptId === undefined && request.userId !== undefined) {
    parseInput(userIdSchema, request.userId, ['user_id']);
    return;
  }
  let count = 0;
  for await (const found of readSource(source, read)) {
    if (found.kind !== 'conversation') continue;
    toOwned(found.conversation, request);
    if (found.conversation.part === undefined) count += 1;
  }
  if (request.transcriptId === undefined || count <= 1) return;
  throw new ContextloomError('invalid', `it holds ${count} conversations, and --transcript-id names one`);
}

/** Remembers one conversation; answers why the knowledge base did not take it, which says nothing of the others. */
async function record(
  file: string,
  { conversation, userId, transcriptId }: OwnedConversation,
  request: BatchRequest,
  deps: BatchDeps,
): Promise<string | undefined> {
  const { forceSave, retryFailed, reread, rereadSince } = request;
  const one = { userId, conversation, transcriptId, forceSave, retryFailed, reread, rereadSince };
  try {
    const outcome = request.dryRun
      ? await estimate(one, deps)
      : await deps.processor.processConversation(one, {
          signal: deps.signal,
          onProgress: (done, total) => deps.onProgress(conversation.id ?? file, done, total),
        });
    deps.onConversation(toReport(file, userId, outcome, deps.processor));
    return undefined;
  } catch (error) {
    if (!isContextloomError(error) || (error.code !== 'invalid' && error.code !== 'too_large')) throw error;
    return `${conversation.id ?? 'its conversation'} was not taken by the knowledge base: ${error.message}`;
  }
}

/** What could not be read or kept of a file; errors that go beyond it are thrown. */
async function processFile(file: string, request: BatchRequest, deps: OrderedDeps): Promise<readonly string[]> {
  const date = request.date === undefined ? undefined : parseMoment(request.date);
  const read = { date, signal: deps.signal };
  let source: Source | undefined;
  try {
    source = await deps.open(file);
    await checkSource(source, read, request);
  } catch (error) {
    await source?.close();
    if (isContextloomError(error)) return [error.message];
    throw error;
  }
  try {
    return await processSource(file, source, read, request, deps);
  } finally {
    await source.close();
  }
}

/** A fault, without the name of the file where that is told anyway. */
function toProblem(file: string, { path, reason }: { readonly path: string; readonly reason: string }): string {
  if (path === file) return reason;
  return `${path.startsWith(`${file}, `) ? path.slice(file.length + 2) : path}: ${reason}`;
}

async function processSource(
  file: string,
  source: Source,
  read: ReadSourceOptions,
  request: BatchRequest,
  deps: OrderedDeps,
): Promise<readonly string[]> {
  const problems: string[] = [];
  let count = 0;
  for await (const found of readSource(source, read)) {
    if (deps.signal.aborted) break;
    if (found.kind === 'fault') problems.push(toProblem(file, found));
    if (found.kind !== 'conversation') continue;
    count += 1;
    const owned = toOwned(found.conversation, request);
    const onConversation = deps.reserve();
    await deps.pool.add(toConversationKey(owned.userId, found.conversation), async () => {
      if (deps.signal.aborted) return;
      const problem = await record(file, owned, request, { ...deps, onConversation });
      if (problem !== undefined) deps.fail(file, problem);
    });
  }
  const isEmpty = count === 0 && problems.length === 0 && !deps.signal.aborted;
  return isEmpty ? ['nothing is said in it'] : problems;
}

/** What would be asked, in the form of what was. */
async function estimate(request: RecordRequest, { processor, signal }: BatchDeps): Promise<Outcome> {
  return {
    ...(await processor.estimateConversation(request, { signal })),
    saved: [],
    notSaved: [],
    failed: [],
    unread: 0,
  };
}

type Outcome = Omit<RecordOutcome, 'isComplete'>;

/** Reasons without what is special to one fact, so that they can be counted: `number not in the evidence: 42`. */
function countReasons(reasons: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>();
  for (const reason of reasons) {
    const kind = reason.split(':')[0] ?? reason;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

function toReport(file: string, userId: string, outcome: Outcome, processor: MemoryProcessor): ConversationReport {
  const { transcript, windows, saved, known, notSaved, failed, unread, usage } = outcome;
  return {
    file,
    transcript,
    user_id: userId,
    windows,
    saved: saved.length,
    known,
    not_saved: countReasons(notSaved.map(({ reason }) => reason)),
    failures: failed,
    unread,
    usage: toModelUsage(usage, processor),
  };
}

/**
 * Remembers the conversations of all files. A file that cannot be read is reported and the rest goes on; a knowledge base
 * that cannot be reached ends the run with its error.
 */
export async function runBatch(request: BatchRequest, deps: BatchDeps): Promise<BatchReport> {
  const start = deps.now();
  const places: (ConversationReport | undefined)[] = [];
  const failed: { file: string; error: string }[] = [];
  const reserve = (): ((report: ConversationReport) => void) => {
    const place = places.push(undefined) - 1;
    return (report) => {
      places[place] = report;
      deps.onConversation(report);
    };
  };
  const fail = (file: string, error: string): void => {
    failed.push({ file, error });
    deps.onFailure(file, error);
  };
  const pool = createConversationPool(deps.processor.concurrency);
  try {
    for (const file of request.files) {
      if (deps.signal.aborted) break;
      for (const error of await processFile(file, request, { ...deps, reserve, pool, fail })) fail(file, error);
    }
    await pool.finish();
  } catch (error) {
    // What is under way ends before the store is closed; its failure is no other than this one.
    await pool.finish().catch(() => undefined);
    // Ctrl-C on a terminal also ends the knowledge base that was started for this run.
    if (!deps.signal.aborted || !isContextloomError(error) || error.code !== 'unavailable') throw error;
  }
  const conversations = places.filter((report) => report !== undefined);
  const seconds = Math.round((deps.now() - start) / 100) / 10;
  const usage = sumUsage(
    conversations.map(({ usage: { calls, input_tokens: inputTokens, output_tokens: outputTokens } }) => ({
      calls,
      inputTokens,
      outputTokens,
    })),
  );
  return {
    extractor: deps.processor.extractor,
    conversations,
    failed,
    isStopped: deps.signal.aborted,
    seconds,
    isDryRun: request.dryRun,
    usage: toModelUsage(usage, deps.processor),
    priceBasis: deps.processor.price(usage).basis,
  };
}
