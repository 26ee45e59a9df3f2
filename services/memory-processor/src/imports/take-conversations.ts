import { createHash } from 'node:crypto';
import { isContextloomError, type ModelUsage } from '@contextloom/contracts';
import type { FoundConversation } from '@contextloom/transcripts';
import { countTurns } from '@contextloom/transcripts/transcript';
import { toModelUsage } from '../answers.ts';
import { GRAPH_ITEM, type ItemState, type Journal } from '../domain/imports/journal.ts';
import type { FailedPiece, NotSaved } from '../domain/ingest/extract-window.ts';
import type { RecordOutcome } from '../domain/ingest/recording.ts';
import type { MemoryProcessor } from '../domain/memory-processor.ts';
import { subtractUsage } from '../domain/usage.ts';
import { type ImportRequest, toRecordRequest } from './import-request.ts';
import type { ReadLater, Rest } from './read-later.ts';

/** The import that a conversation is part of. */
export interface OngoingImport {
  readonly id: string;
  readonly userId: string;
  /** Whether a run before was cut off or stopped. */
  readonly isResumed: boolean;
}

/** What became of the conversations of a run. */
export interface TakenCounts {
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
  /** Pieces of the conversations that were looked through, and those of them that an earlier run had read. */
  readonly pieces: number;
  readonly knownPieces: number;
  /** Facts that were not saved, counted by the reason. */
  readonly notSaved: Readonly<Record<string, number>>;
  /** Pieces from which no facts could be drawn, and why. */
  readonly failedPieces: readonly FailedPiece[];
  readonly usage: ModelUsage;
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

/** Undoing asks personal memory where something of an import went there. */
export async function noteGraph({ id }: Pick<OngoingImport, 'id'>, journal: Journal): Promise<void> {
  if ((await journal.getItem(id, GRAPH_ITEM.key)) !== undefined) return;
  await journal.settle(id, { ...GRAPH_ITEM, part: 0 }, { state: 'saved', saved: 0 });
}

interface Recorded {
  readonly item: ItemState;
  /** Absent where the conversation could not be kept. */
  readonly outcome?: RecordOutcome;
  /** Whether nothing further can be kept now. */
  readonly isOver: boolean;
}

interface RecordOptions {
  readonly of: OngoingImport;
  readonly request: ImportRequest;
  readonly processor: MemoryProcessor;
  readonly journal: Journal;
  /** How many memories of the conversation this import has saved by now. */
  readonly toTotal: (saved: number, known: number) => number;
  /** Gets how much of the conversation is done, 0 to 1. */
  readonly onPart: (part: number) => void;
  /** As the journal names the conversation. */
  readonly item: Rest['item'];
  readonly readLater: ReadLater | undefined;
}

async function record(
  conversation: FoundConversation,
  { of, request, processor, journal, toTotal, onPart, item, readLater }: RecordOptions,
): Promise<Recorded> {
  const { signal } = request.read;
  try {
    const one = { ...toRecordRequest(conversation, of.userId, request), importId: of.id };
    const onProgress = (done: number, total: number): void => onPart(done / Math.max(1, total));
    const outcome = await processor.processConversation(one, { signal, onProgress });
    const { unread, isComplete, known, hasPeople } = outcome;
    if (hasPeople) await noteGraph(of, journal);
    const saved = toTotal(outcome.saved.length, known);
    const retry = (reason: string) => ({ state: 'failed', saved, reason, retryable: true }) as const;
    if (!isComplete) return { item: retry('the import was stopped'), outcome, isOver: true };
    if (unread > 0) {
      const reason =
        outcome.waitsUntil === undefined
          ? `the model could not be asked for ${unread} of its pieces`
          : `${unread} of its pieces are to be read once there is a budget for them`;
      const { waitsUntil } = outcome;
      if (waitsUntil !== undefined) await readLater?.({ request: one, item, reason, waitsUntil });
      return { item: retry(reason), outcome, isOver: false };
    }
    return { item: saved === 0 ? { state: 'nothing' } : { state: 'saved', saved }, outcome, isOver: false };
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    const isOfItself = error.code === 'invalid' || error.code === 'too_large';
    return {
      item: { state: 'failed', saved: toTotal(0, 0), reason: error.message, retryable: !isOfItself },
      isOver: !isOfItself,
    };
  }
}

/** Reasons without what is special to one fact, so that they can be counted: `number not in the evidence: 42`. */
function countReasons(notSaved: readonly NotSaved[], counts: Record<string, number>): void {
  for (const { reason } of notSaved) {
    const kind = reason.split(':')[0] ?? reason;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
}

interface TakeOptions {
  readonly request: ImportRequest;
  readonly processor: MemoryProcessor;
  readonly journal: Journal;
  /** Has read later what waits for a budget; the same import again does without it. */
  readonly readLater?: ReadLater | undefined;
  /** Gets after each step how many turns are done. */
  readonly onProgress: (turns: number) => void;
}

const toEntry = (conversation: FoundConversation, key: string): Rest['item'] => ({
  key,
  title: toTitle(conversation),
  part: conversation.part ?? 1,
});

/** Counts what recording came to. */
function createCounts(processor: MemoryProcessor) {
  const { spent } = processor;
  const counts = { conversations: 0, saved: 0, nothing: 0, known: 0, failed: 0 };
  const reading = { corrected: 0, deleted: 0, pieces: 0, knownPieces: 0 };
  const notSaved: Record<string, number> = {};
  const failedPieces: FailedPiece[] = [];
  const addOutcome = (outcome: RecordOutcome): void => {
    reading.pieces += outcome.windows;
    reading.knownPieces += outcome.known;
    reading.corrected += outcome.retracted.corrected;
    reading.deleted += outcome.retracted.deleted;
    countReasons(outcome.notSaved, notSaved);
    failedPieces.push(...outcome.failed);
  };
  // What a conversation cost that could not be kept is paid for as well.
  const toUsage = (): ModelUsage => toModelUsage(subtractUsage(processor.spent, spent), processor);
  const toCounts = (): TakenCounts => ({ ...counts, ...reading, notSaved, failedPieces, usage: toUsage() });
  return { counts, addOutcome, toCounts };
}

/** Takes conversations, and counts what became of them. */
export function createTaker({ request, processor, journal, readLater, onProgress }: TakeOptions) {
  const { counts, addOutcome, toCounts } = createCounts(processor);
  // What is read again was saved by the run before as well: that does not say whether it is done.
  const isReadAgain = request.reread === true || request.retryFailed === true;
  let turns = 0;
  const keep = async (
    of: OngoingImport,
    conversation: FoundConversation,
    key: string,
    before: number,
  ): Promise<boolean> => {
    // What a run that was cut off had saved came of this import as well.
    const toTotal = (saved: number, known: number): number =>
      of.isResumed ? Math.max(before, saved + known) : before + saved;
    const length = countTurns(conversation);
    let reported = 0;
    const onPart = (part: number): void => {
      turns += Math.floor(part * length) - reported;
      reported = Math.floor(part * length);
      onProgress(turns);
    };
    const entry = toEntry(conversation, key);
    const recording = { of, request, processor, journal, toTotal, onPart, item: entry, readLater };
    const { item, outcome, isOver } = await record(conversation, recording);
    if (!isOver) onPart(1);
    await journal.settle(of.id, { ...entry, retracted: outcome?.retracted }, item);
    if (outcome !== undefined) addOutcome(outcome);
    const saved = item.state === 'nothing' ? 0 : item.saved - before;
    counts.saved += saved;
    if (item.state === 'failed') counts.failed += 1;
    else if (saved === 0) counts.nothing += 1;
    return !isOver;
  };
  const take = async (of: OngoingImport, conversation: FoundConversation): Promise<boolean> => {
    if (conversation.part === undefined) counts.conversations += 1;
    const key = toKey(conversation);
    const earlier = await journal.getItem(of.id, key);
    // A run that was cut off goes on; one that ended is looked through again, since what it saved may be gone.
    if (!of.isResumed || isReadAgain || earlier?.state !== 'saved')
      return keep(of, conversation, key, earlier?.saved ?? 0);
    counts.known += 1;
    turns += countTurns(conversation);
    onProgress(turns);
    return true;
  };
  return { take, toCounts };
}
