import { createHash } from 'node:crypto';
import { isContextloomError, type ModelUsage } from '@contextloom/contracts';
import { type FoundConversation, type ReadSourceOptions, readSource, type Source } from '@contextloom/transcripts';
import { countTurns } from '@contextloom/transcripts/transcript';
import { toModelUsage } from '../answers.ts';
import type { Usage } from '../domain/extractor.ts';
import type { GraphStore } from '../domain/graph-store.ts';
import { createConversationPool, toConversationKey } from '../domain/ingest/conversation-pool.ts';
import type { RecordRequest, RetractedCounts } from '../domain/ingest/recording.ts';
import type { MemoryProcessor } from '../domain/memory-processor.ts';
import { subtractUsage, sumUsage } from '../domain/usage.ts';
import { type GraphOutcome, keepGraph } from './import-graph.ts';
import type { ItemState, Journal } from './journal/journal-types.ts';
import { createPreview, type LeftOutPage, type Preview } from './preview.ts';

/** What is imported, for whom, and how it is read. */
export interface ImportRequest {
  readonly sources: readonly Source[];
  readonly userId: string;
  readonly read: ReadSourceOptions;
  /** Saves facts of little importance too. */
  readonly forceSave: boolean;
  /** Reads those windows again from which no facts could be drawn. */
  readonly retryFailed?: boolean | undefined;
  /** Reads all windows again. */
  readonly reread?: boolean | undefined;
  /** When a reading again began that was ended early, ISO 8601 UTC. */
  readonly rereadSince?: string | undefined;
  /** Names the conversation, when there is only one. */
  readonly transcriptId?: string | undefined;
  /** Which of the left-out lines the plan lists; the first hundred without. */
  readonly leftOut?: LeftOutPage | undefined;
}

/** What an import works with. */
export interface ImportDeps {
  readonly processor: MemoryProcessor;
  readonly journal: Journal;
  /** Where graphs of other memory programs go, besides the memories that are made of them. */
  readonly graph: GraphStore;
  /** Told after each step how many turns are done. */
  readonly onProgress: (turns: number) => void;
}

/** What an import would do, and what it would cost. */
export interface Plan {
  readonly previews: readonly Preview[];
  /** What a model would be asked; absent without a model. */
  readonly estimate?: ModelUsage & { readonly price_basis: string };
  /** What the files are known by. */
  readonly digests: readonly string[];
}

const readingOf = ({ signal: _signal, speakers, ...read }: ReadSourceOptions): string =>
  JSON.stringify({ ...read, speakers: [...(speakers ?? [])] });

/** The name of an import: the same files, read in the same way for the same user, are one. */
export function toImportId(
  digests: readonly string[],
  { userId, read, forceSave, transcriptId }: ImportRequest,
): string {
  const name = transcriptId === undefined ? [] : [transcriptId];
  const parts = [userId, readingOf(read), forceSave, ...name, ...digests];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
}

/** What is recorded of a conversation; a part of a long one is named after the whole. */
function toRecordRequest(
  conversation: FoundConversation,
  { userId, forceSave, retryFailed, reread, rereadSince, transcriptId, read }: ImportRequest,
): RecordRequest {
  // A number of a telephone is no name.
  const userName = read.me?.find((name) => /\p{L}/u.test(name));
  const { part } = conversation;
  const named = transcriptId === undefined || part === undefined ? transcriptId : `${transcriptId} (${part})`;
  return { userId, userName, conversation, forceSave, retryFailed, reread, rereadSince, transcriptId: named };
}

/** Whether the user has corrected or deleted anything; without a model a preview needs no knowledge base for more. */
async function lookForRetractions(
  { userId }: ImportRequest,
  processor: MemoryProcessor,
): Promise<{ readonly hasSome: boolean; readonly note?: string }> {
  try {
    return { hasSome: await processor.hasRetractions(userId) };
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    return { hasSome: false, note: `what was corrected or deleted could not be looked up: ${error.message}` };
  }
}

/** Reads all sources once, saving nothing. */
export async function planImport(request: ImportRequest, { processor }: Pick<ImportDeps, 'processor'>): Promise<Plan> {
  const usages: Usage[] = [];
  const isModel = processor.extractor.kind === 'model';
  const looked = await lookForRetractions(request, processor);
  const found = [];
  for (const source of request.sources) {
    const preview = createPreview(source.name, request.leftOut);
    if (looked.note !== undefined) preview.add({ kind: 'note', text: looked.note });
    for await (const one of readSource(source, request.read)) {
      preview.add(one);
      if (one.kind !== 'conversation' || !(isModel || looked.hasSome)) continue;
      const conversation = toRecordRequest(one.conversation, request);
      const estimate = await processor.estimateConversation(conversation, { signal: request.read.signal });
      usages.push(estimate.usage);
      preview.addRetracted(estimate.retracted);
    }
    found.push(preview.result());
  }
  const usage = sumUsage(usages);
  return {
    digests: found.map(({ digest }) => digest),
    previews: found.map(({ digest: _digest, ...preview }) => preview),
    ...(isModel && { estimate: { ...toModelUsage(usage, processor), price_basis: processor.price(usage).basis } }),
  };
}

/** What an import came to. */
export interface ImportOutcome {
  readonly id: string;
  readonly conversations: number;
  readonly saved: number;
  /** Conversations in which nothing was new. */
  readonly nothing: number;
  /** Conversations that a run before had brought to an end. */
  readonly known: number;
  readonly failed: number;
  /** Memories that stay as the user corrected them, and those that are left out since the user deleted them. */
  readonly corrected: number;
  readonly deleted: number;
  readonly isStopped: boolean;
  readonly usage: ModelUsage;
  /** What became of a graph; absent of sources without one, and where it failed. */
  readonly graph?: GraphOutcome;
}

function toKey({ id, sessions }: FoundConversation): string {
  const hash = createHash('sha256').update(id ?? '');
  for (const { label, turns } of sessions) {
    hash.update(`\n${label}`);
    for (const { speaker, text, at } of turns) hash.update(JSON.stringify([speaker, text, at]));
  }
  return hash.digest('hex').slice(0, 32);
}

const toTitle = ({ title, id, sessions }: FoundConversation): string =>
  (title ?? id ?? sessions[0]?.turns[0]?.text ?? '').replace(/\s+/gu, ' ').slice(0, 120);

interface Recorded {
  readonly item: ItemState;
  readonly retracted?: RetractedCounts;
  /** Whether nothing further can be kept now. */
  readonly isOver: boolean;
}

interface RecordOptions {
  readonly id: string;
  readonly request: ImportRequest;
  readonly processor: MemoryProcessor;
  /** How many memories of the conversation this import has saved by now. */
  readonly toTotal: (saved: number, known: number) => number;
  /** Told how much of the conversation is done, 0 to 1. */
  readonly onPart: (part: number) => void;
}

async function record(
  conversation: FoundConversation,
  { id, request, processor, toTotal, onPart }: RecordOptions,
): Promise<Recorded> {
  const { signal } = request.read;
  try {
    const one = { ...toRecordRequest(conversation, request), importId: id };
    const onProgress = (done: number, total: number): void => onPart(done / Math.max(1, total));
    const outcome = await processor.processConversation(one, { signal, onProgress });
    const { unread, isComplete, known, retracted } = outcome;
    const saved = toTotal(outcome.saved.length, known);
    const retry = (reason: string) => ({ state: 'failed', saved, reason, retryable: true }) as const;
    if (!isComplete) return { item: retry('the import was stopped'), retracted, isOver: true };
    if (unread > 0) {
      return { item: retry(`the model could not be asked for ${unread} of its pieces`), retracted, isOver: false };
    }
    return { item: saved === 0 ? { state: 'nothing' } : { state: 'saved', saved }, retracted, isOver: false };
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    const isOfItself = error.code === 'invalid' || error.code === 'too_large';
    return {
      item: { state: 'failed', saved: toTotal(0, 0), reason: error.message, retryable: !isOfItself },
      isOver: !isOfItself,
    };
  }
}

interface TakeOptions extends ImportDeps {
  readonly id: string;
  readonly request: ImportRequest;
  /** Whether a run before was cut off or stopped. */
  readonly isResumed: boolean;
}

/** Takes conversations, and counts what became of them. */
function createTaker({ id, request, isResumed, processor, journal, onProgress }: TakeOptions) {
  const counts = { conversations: 0, saved: 0, nothing: 0, known: 0, failed: 0, corrected: 0, deleted: 0 };
  const { spent } = processor;
  // What is read again was saved by the run before as well: whether it is done is not told by that.
  const isReadAgain = request.reread === true || request.retryFailed === true;
  let turns = 0;
  const keep = async (conversation: FoundConversation, key: string, before: number): Promise<boolean> => {
    // What a run that was cut off had saved came of this import as well.
    const toTotal = (saved: number, known: number): number =>
      isResumed ? Math.max(before, saved + known) : before + saved;
    const length = countTurns(conversation);
    let told = 0;
    const onPart = (part: number): void => {
      turns += Math.floor(part * length) - told;
      told = Math.floor(part * length);
      onProgress(turns);
    };
    const { item, retracted, isOver } = await record(conversation, { id, request, processor, toTotal, onPart });
    if (!isOver) onPart(1);
    const part = conversation.part ?? 1;
    journal.settle(id, { key, title: toTitle(conversation), part, retracted }, item);
    counts.corrected += retracted?.corrected ?? 0;
    counts.deleted += retracted?.deleted ?? 0;
    const saved = item.state === 'nothing' ? 0 : item.saved - before;
    counts.saved += saved;
    if (item.state === 'failed') counts.failed += 1;
    else if (saved === 0) counts.nothing += 1;
    return !isOver;
  };
  const take = async (conversation: FoundConversation): Promise<boolean> => {
    if (conversation.part === undefined) counts.conversations += 1;
    const key = toKey(conversation);
    const earlier = journal.getItem(id, key);
    // A run that was cut off goes on; one that ended is looked through again, since what it saved may be gone.
    if (!isResumed || isReadAgain || earlier?.state !== 'saved') return keep(conversation, key, earlier?.saved ?? 0);
    counts.known += 1;
    turns += countTurns(conversation);
    onProgress(turns);
    return true;
  };
  // What was asked for a conversation that could not be kept is paid for as well.
  const toUsage = (): ModelUsage => toModelUsage(subtractUsage(processor.spent, spent), processor);
  return { take, toCounts: () => ({ ...counts, usage: toUsage() }) };
}

/** Imports all conversations of the sources; what a run that was cut off has brought to an end is passed over. */
export async function runImport(id: string, request: ImportRequest, deps: ImportDeps): Promise<ImportOutcome> {
  const { journal } = deps;
  const state = journal.get(id)?.state;
  if (state === 'undone') journal.clear(id);
  journal.begin({ id, userId: request.userId, sources: request.sources.map(({ name }) => name) });
  const { take, toCounts } = createTaker({
    ...deps,
    id,
    request,
    isResumed: state === 'running' || state === 'stopped',
  });
  const { isWhole, hasGraph } = await takeAll(request, take, deps.processor.concurrency);
  const isStopped = !isWhole || request.read.signal.aborted;
  const graph = hasGraph && !isStopped ? await keepGraph({ ...request, id, graph: deps.graph }, journal) : undefined;
  journal.end(id, isStopped ? 'stopped' : 'done');
  return { id, ...toCounts(), isStopped, ...(graph !== undefined && { graph }) };
}

/** Hands on conversations, several at once, until one of them is the last that can be kept; whether none was, and whether a graph came by. */
async function takeAll(
  { sources, read, userId }: ImportRequest,
  take: (conversation: FoundConversation) => Promise<boolean>,
  concurrency: number,
): Promise<{ readonly isWhole: boolean; readonly hasGraph: boolean }> {
  const pool = createConversationPool(concurrency);
  let isOver = false;
  let hasGraph = false;
  const takeOne = async (conversation: FoundConversation): Promise<void> => {
    if (!isOver && !(await take(conversation))) isOver = true;
  };
  try {
    for (const source of sources) {
      for await (const one of readSource(source, read)) {
        if (isOver || read.signal.aborted) return { isWhole: false, hasGraph };
        if (one.kind === 'graph') hasGraph = true;
        if (one.kind !== 'conversation') continue;
        await pool.add(toConversationKey(userId, one.conversation), () => takeOne(one.conversation));
      }
    }
  } finally {
    await pool.finish();
  }
  return { isWhole: !isOver, hasGraph };
}
