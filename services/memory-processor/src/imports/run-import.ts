import { createHash } from 'node:crypto';
import { type FoundConversation, type ReadSourceOptions, readSource } from '@contextloom/transcripts';
import type { GraphStore } from '../domain/graph-store.ts';
import type { Journal } from '../domain/imports/journal.ts';
import { createConversationPool, toConversationKey } from '../domain/ingest/conversation-pool.ts';
import type { MemoryProcessor } from '../domain/memory-processor.ts';
import { type GraphOutcome, keepGraph } from './import-graph.ts';
import { findOwner, type ImportRequest } from './import-request.ts';
import type { ReadLater } from './read-later.ts';
import { createTaker, type OngoingImport, type TakenCounts } from './take-conversations.ts';

/** What an import works with. */
export interface ImportDeps {
  readonly processor: MemoryProcessor;
  readonly journal: Journal;
  /** Where graphs of other memory programs go, besides the memories that are made of them. */
  readonly graph: GraphStore;
  /** Has read later what waits for a budget. */
  readonly readLater?: ReadLater | undefined;
  /** Gets after each step how many turns are done. */
  readonly onProgress: (turns: number) => void;
}

const readingOf = ({ signal: _signal, speakers, ...read }: ReadSourceOptions): string =>
  JSON.stringify({ ...read, speakers: [...(speakers ?? [])] });

/** The name of an import: the same files, read in the same way for the same user, are one. */
export function toImportId(
  digests: readonly string[],
  { userId, read, forceSave, transcriptId }: ImportRequest<string>,
): string {
  const name = transcriptId === undefined ? [] : [transcriptId];
  const parts = [userId, readingOf(read), forceSave, ...name, ...digests];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
}

/** What an import came to. */
export interface ImportOutcome extends TakenCounts {
  readonly id: string;
  readonly isStopped: boolean;
  /** What became of a graph; absent of sources without one, and where it failed. */
  readonly graph?: GraphOutcome;
}

/** What the imports of several users came to, together. */
export interface ImportsOutcome extends Omit<ImportOutcome, 'id'> {
  readonly imports: readonly Pick<OngoingImport, 'id' | 'userId'>[];
}

/** Begins in the journal an import that is to run. */
async function beginImport(
  id: string,
  userId: string,
  { sources }: ImportRequest,
  journal: Journal,
): Promise<OngoingImport> {
  const state = (await journal.get(id))?.state;
  if (state === 'undone') await journal.clear(id);
  await journal.begin({ id, userId, sources: sources.map(({ name }) => name) });
  return { id, userId, isResumed: state === 'running' || state === 'stopped' };
}

/** Imports all conversations of the sources for one user; what a run that was cut off has brought to an end is passed over. */
export async function runImport(id: string, request: ImportRequest<string>, deps: ImportDeps): Promise<ImportOutcome> {
  const { journal } = deps;
  const one = await beginImport(id, request.userId, request, journal);
  const { take, toCounts } = createTaker({ ...deps, request });
  const { isWhole, hasGraph } = await takeAll(
    request,
    async (conversation) => take(one, conversation),
    deps.processor.concurrency,
  );
  const isStopped = !isWhole || request.read.signal.aborted;
  const graph = hasGraph && !isStopped ? await keepGraph({ ...request, id, graph: deps.graph }, journal) : undefined;
  await journal.end(id, isStopped ? 'stopped' : 'done');
  return { id, ...toCounts(), isStopped, ...(graph !== undefined && { graph }) };
}

/** Imports each conversation for the user that its own id names; all of one user are an import by themselves. */
export async function runImports(
  begin: (userId: string) => Promise<string>,
  request: ImportRequest<undefined>,
  deps: ImportDeps,
): Promise<ImportsOutcome> {
  const { journal, processor } = deps;
  const ongoing = new Map<string, Promise<OngoingImport>>();
  const beginOne = async (userId: string): Promise<OngoingImport> =>
    beginImport(await begin(userId), userId, request, journal);
  const importOf = (userId: string): Promise<OngoingImport> => {
    const one = ongoing.get(userId) ?? beginOne(userId);
    ongoing.set(userId, one);
    return one;
  };
  const { take, toCounts } = createTaker({ ...deps, request });
  const { isWhole, hasGraph } = await takeAll(
    request,
    async (conversation, userId) => take(await importOf(userId), conversation),
    processor.concurrency,
  );
  const isStopped = !isWhole || request.read.signal.aborted;
  const imports = (await Promise.all(ongoing.values())).map(({ id, userId }) => ({ id, userId }));
  for (const { id } of imports) await journal.end(id, isStopped ? 'stopped' : 'done');
  const graph = { left_out: 'they belong to no conversation, and --user names whose they are' };
  return { imports, ...toCounts(), isStopped, ...(hasGraph && { graph }) };
}

/** Hands on conversations, several at once, until one of them is the last that can be kept; whether none was, and whether a graph came by. */
async function takeAll(
  request: ImportRequest,
  take: (conversation: FoundConversation, userId: string) => Promise<boolean>,
  concurrency: number,
): Promise<{ readonly isWhole: boolean; readonly hasGraph: boolean }> {
  const { sources, read } = request;
  const pool = createConversationPool(concurrency);
  let isOver = false;
  let hasGraph = false;
  const takeOne = async (conversation: FoundConversation, userId: string): Promise<void> => {
    if (!isOver && !(await take(conversation, userId))) isOver = true;
  };
  try {
    for (const source of sources) {
      for await (const one of readSource(source, read)) {
        if (isOver || read.signal.aborted) return { isWhole: false, hasGraph };
        if (one.kind === 'graph') hasGraph = true;
        if (one.kind !== 'conversation') continue;
        const owner = findOwner(request, one.conversation);
        // The plan has named it as nobody's.
        if ('reason' in owner) continue;
        const key = toConversationKey(owner.userId, one.conversation);
        await pool.add(key, () => takeOne(one.conversation, owner.userId));
      }
    }
  } finally {
    await pool.finish();
  }
  return { isWhole: !isOver, hasGraph };
}
