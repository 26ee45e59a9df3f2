import { DECISION_TAG } from '@contextloom/contracts';
import type { KeyedQueue } from '@contextloom/runtime/scheduling';
import type { Conversation } from '@contextloom/transcripts/transcript';
import { toWaitsUntil } from '../budget/waits-until.ts';
import { decideBatch } from '../decisions/decide-batch.ts';
import type { FactJudge } from '../decisions/decide-facts.ts';
import type { Extractor, Usage } from '../extractor.ts';
import { toEpisodeId } from '../memory-id.ts';
import type { MemoryDocument, MemoryStore, RecordedMemory } from '../memory-store.ts';
import { keepPeople } from '../people/keep-people.ts';
import type { PeopleStore } from '../people/people-store.ts';
import { createRetractions, type Retractions } from '../retractions/retractions.ts';
import { isSettled, withoutRetracted } from '../retractions/without-retracted.ts';
import { sumUsage } from '../usage.ts';
import type { CountTokens } from '../windows/cut-text.ts';
import { groupReadings, toUnits } from '../windows/group-windows.ts';
import { createBatchSaver } from './batch-saver.ts';
import { type Extracted, extractWindow, type Reading, toReadings } from './extract-window.ts';
import { identifyConversation } from './identify-conversation.ts';
import { findLeftovers, findOrphans, isReadBefore, isRecorded, toEarlier } from './recorded.ts';
import type { RecordOutcome, RecordRequest, RetractedCounts, RunOptions } from './recording.ts';
import type { UnsavedLimit } from './unsaved-limit.ts';
import { collect, createInOrder, workThrough } from './work-through.ts';

interface StampOptions {
  readonly batch: readonly Extracted[];
  /** What was recorded of the conversation before. */
  readonly recorded: ReadonlyMap<string, RecordedMemory>;
  readonly importId: string | undefined;
}

/**
 * Marks what an import adds, so that it can be taken back: the memories of its windows and the decisions about them. A window that was
 * there before stays what it was, also when it has grown; facts of before that a decision changes stay those of others.
 */
function stampImport(
  documents: readonly MemoryDocument[],
  { batch, recorded, importId }: StampOptions,
): readonly MemoryDocument[] {
  const own = new Set(batch.flatMap((extracted) => extracted.documents.map(({ doc_id: id }) => id)));
  return documents.map((document) => {
    const before = recorded.get(document.doc_id);
    const isOwn = own.has(document.doc_id) || document.tags.includes(DECISION_TAG);
    const stamp = before === undefined ? (isOwn ? importId : undefined) : before.importId;
    return stamp === undefined ? document : { ...document, metadata: { ...document.metadata, import: stamp } };
  });
}

/** How long what is under way may go on when a run is ended, in milliseconds: it may be paid for already. */
const GRACE_MS = 20_000;

/** What recording works with. */
export interface RecordDeps {
  readonly extractor: Extractor;
  readonly memories: MemoryStore;
  readonly clock: () => Date;
  readonly countTokens: CountTokens;
  /** Says which facts repeat, replace or correct others; without it only equal ones become one. */
  readonly judge?: FactJudge | undefined;
  /** Decisions about the facts of one user wait for each other. */
  readonly queue: KeyedQueue;
  /** Facts of less importance are left out, 1 to 10. */
  readonly threshold: number;
  /** Bounds what several conversations that are recorded at once may lose together. */
  readonly unsaved: UnsavedLimit;
  /** Where those go who are named; nobody is looked for without it. */
  readonly people?: PeopleStore | undefined;
  /** Gets the use of the model after each answer, whatever comes of the run. */
  readonly onUsage: (usage: Usage) => void;
}

/** What a conversation would be to a run: its windows, and those that are still to be read. */
export interface RecordPlan {
  readonly transcript: string;
  readonly readings: readonly Reading[];
  readonly pending: readonly Reading[];
  readonly recorded: ReadonlyMap<string, RecordedMemory>;
  readonly retractions: Retractions;
  readonly retracted: RetractedCounts;
}

/** Looks what of a conversation is recorded already. Changes nothing; rejects with `unavailable` when the signal is given. */
export async function planRecording(
  {
    userId,
    userName,
    conversation,
    transcriptId,
    forceSave = false,
    retryFailed = false,
    reread = false,
    rereadSince,
    undatedTurns = 'none',
  }: RecordRequest,
  { extractor, memories, countTokens, clock }: RecordDeps,
  signal: AbortSignal,
): Promise<RecordPlan> {
  const calledAt =
    undatedTurns === 'none' ? undefined : (undatedTurns === 'call' ? clock() : undatedTurns).toISOString();
  const all = await memories.listRetractions(userId);
  const retractionsOf = (transcript: string): Retractions => createRetractions(all, { userId, transcript });
  const { transcript, recorded, ...identified } = await identifyConversation(
    {
      userId,
      conversation,
      name: transcriptId ?? conversation.id,
      readWindows: (name, known) =>
        toReadings(conversation, countTokens, {
          recorded: known,
          calledAt,
          findRetracted: retractionsOf(name).findRun,
        }),
      collect: (found) => collect(found, signal),
    },
    memories,
  );
  const { head } = identified;
  const readings = identified.readings.filter(({ window }) => window.retraction?.how !== 'deleted');
  const wanted = { kind: extractor.info.kind, forceSave, retryFailed, reread, rereadSince };
  const pending = readings.flatMap((reading, at): Reading[] => {
    if (reading.window.retraction !== undefined) return [];
    const before = recorded.get(toEpisodeId(userId, transcript, reading.window));
    if (isRecorded(reading.window.content, before, wanted)) return [];
    const grown = extractor.readsOn === true ? toEarlier(reading.window, before, wanted) : undefined;
    const user = { id: userId, name: userName };
    const context = { ...reading.context, user, ...(grown !== undefined && { known: grown.known }) };
    const isKept = isReadBefore(reading.window.content, before) && { readBefore: before };
    return [{ ...reading, ...grown, context, ...isKept, ...(head !== undefined && at === 0 && { head }) }];
  });
  const { maxGroupTokens = 0 } = extractor;
  const retractions = retractionsOf(transcript);
  const met = retractions.listMet(identified.readings.map(({ window }) => window));
  return {
    transcript,
    readings,
    recorded,
    retractions,
    pending: groupReadings(pending, maxGroupTokens, countTokens),
    retracted: {
      corrected: met.filter(({ how }) => how === 'corrected').length,
      deleted: met.filter(({ how }) => how === 'deleted').length,
    },
  };
}

/** How many windows are still to be read, and when, if they wait for a budget alone. */
function toUnread(done: readonly Extracted[]): Pick<RecordOutcome, 'unread' | 'waitsUntil'> {
  const unread = done.filter(({ isFinal }) => !isFinal);
  return { unread: unread.length, waitsUntil: toWaitsUntil(unread) };
}

/** Longest title of a conversation that is kept, in characters. */
const MAX_TITLE = 200;

/** A title on one line; undefined without one. */
function toTitle({ title }: Conversation): string | undefined {
  const line = (title ?? '')
    .slice(0, 4 * MAX_TITLE)
    .replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
  return line === '' ? undefined : [...line].slice(0, MAX_TITLE).join('');
}

/** A signal that follows another one after the time that what is under way is given. */
function toFinalSignal(signal: AbortSignal): { readonly signal: AbortSignal; readonly end: () => void } {
  const final = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const arm = (): void => {
    timer ??= setTimeout(() => final.abort(), GRACE_MS);
  };
  if (signal.aborted) arm();
  else signal.addEventListener('abort', arm, { once: true });
  const end = (): void => {
    signal.removeEventListener('abort', arm);
    clearTimeout(timer);
  };
  return { signal: final.signal, end };
}

/**
 * Saves a conversation's memories as its windows are read. A window that was recorded before is neither read nor saved
 * again, so an interrupted run is finished by running it again.
 */
export async function recordTranscript(
  request: RecordRequest,
  deps: RecordDeps,
  { signal = new AbortController().signal, onProgress }: RunOptions = {},
): Promise<RecordOutcome> {
  const { extractor, memories, clock, threshold, judge, queue, unsaved, onUsage } = deps;
  const { userId, forceSave = false } = request;
  const plan = await planRecording(request, deps, signal);
  const { transcript, readings, pending, recorded, retractions, retracted } = plan;
  const known = readings.length - pending.length;
  const done: Extracted[] = [];
  const usages: Usage[] = [];
  const provenance = {
    userId,
    transcript,
    title: toTitle(request.conversation),
    extractor: extractor.info.name,
    createdAt: clock().toISOString(),
  };
  const { concurrency = 1 } = extractor;
  const final = toFinalSignal(signal);
  const save = async (batch: readonly Extracted[]): Promise<void> => {
    const { decided, leftovers } = await queue(userId, async () => {
      // Asked again: a person may have corrected or deleted something while the model was reading.
      const now = createRetractions(await memories.listRetractions(userId), { userId, transcript });
      const allowed = batch.map((extracted) => withoutRetracted(extracted, recorded, now));
      const leftovers = allowed.flatMap((extracted) => findLeftovers(extracted, recorded, now));
      const decision = await decideBatch(allowed, {
        memories,
        judge,
        userId,
        at: provenance.createdAt,
        signal: final.signal,
        leftovers: new Set(leftovers),
      });
      const documents = stampImport(decision.documents, { batch, recorded, importId: request.importId });
      if (documents.length > 0) await memories.save(documents);
      return { decided: decision, leftovers };
    });
    if (decided.usage !== undefined) {
      usages.push(decided.usage);
      onUsage(decided.usage);
    }
    // Only now: what a later version of a window no longer says must not go before that version is kept.
    await memories.forget(userId, leftovers);
    done.push(...decided.batch);
    onProgress?.(known + done.length, readings.length);
  };
  // A kill costs at most twice as many calls as are made at once, however long the first of them takes.
  const isModel = extractor.info.kind === 'model';
  let held = 0;
  const release = (units: number): void => {
    held -= units;
    unsaved.release(units);
  };
  const saver = createBatchSaver(save, isModel ? 2 * concurrency : undefined, isModel ? release : undefined);
  const mayRead = async (at: number): Promise<boolean> => {
    if (!(await saver.mayRead(at))) return false;
    if (isModel) {
      await unsaved.take();
      held += 1;
    }
    return !signal.aborted && saver.mayRead(at);
  };
  await memories.forget(userId, findOrphans(recorded, retractions));
  onProgress?.(known, readings.length);
  const isTaken = (id: string): boolean => {
    const known = recorded.get(id);
    return retractions.get(id) !== undefined || (known !== undefined && isSettled(id, known, retractions));
  };
  const options = { extractor, threshold: forceSave ? 0 : threshold, provenance, signal: final.signal, isTaken };
  try {
    const addInOrder = createInOrder(saver.add);
    const work = async (unit: readonly Reading[], at: number): Promise<void> => {
      if (!(await mayRead(at))) return saver.stopReading();
      // A unit that is begun is read and saved as a whole: its windows share one call, which is paid for.
      const reading = Promise.all(unit.map((one) => extractWindow(one, options)));
      const extracted = await reading.catch((error: unknown) => {
        saver.stopReading();
        throw error;
      });
      for (const { usage } of extracted) if (usage !== undefined) onUsage(usage);
      await addInOrder(at, extracted);
    };
    await workThrough(toUnits(pending), work, { concurrency, signal });
  } finally {
    final.end();
    await saver.finish().finally(() => release(held));
  }
  const hasPeople = await keepPeople(done, { ...plan, ...request, store: deps.people });
  return {
    transcript,
    hasPeople,
    windows: readings.length,
    known,
    usage: sumUsage([...done.map(({ usage }) => usage), ...usages]),
    saved: done.flatMap(({ shown }) => shown),
    notSaved: done.flatMap(({ notSaved }) => notSaved),
    ...toUnread(done),
    failed: done.flatMap(({ failed }) => failed ?? []),
    isComplete: done.length === pending.length,
    retracted,
  };
}
