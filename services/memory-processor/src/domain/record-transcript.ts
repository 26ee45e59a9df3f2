import type { Memory } from '@contextloom/contracts';
import type { MemoryStore, RecordedMemory } from '../store/memory-store.ts';
import type { CountTokens } from './episodes.ts';
import {
  type Extracted,
  type ExtractOptions,
  extractWindow,
  type NotSaved,
  type Reading,
  toReadings,
} from './extract-window.ts';
import type { Extractor } from './extractor.ts';
import { toEpisodeId, toTranscriptId } from './memory-id.ts';
import type { Conversation } from './transcript.ts';

/** Most memories that are sent to the store at once: progress is told, and a stop obeyed, after each batch. */
const MAX_BATCH = 50;

/** What recording works with. */
export interface RecordDeps {
  readonly extractor: Extractor;
  readonly memories: MemoryStore;
  readonly clock: () => Date;
  readonly countTokens: CountTokens;
  /** Facts of less importance are left out, 1 to 10. */
  readonly threshold: number;
}

/** A conversation to record, and for whom. */
export interface RecordRequest {
  readonly userId: string;
  readonly conversation: Conversation;
  /** Names the conversation, instead of its own id or a hash of its words. */
  readonly transcriptId?: string | undefined;
  /** Saves facts of little importance too. */
  readonly forceSave?: boolean | undefined;
}

/** How a caller follows a long run, and ends it. */
export interface RunOptions {
  /** When aborted, what is extracted so far is saved and no more is read. */
  readonly signal?: AbortSignal | undefined;
  /** Told after each batch how many windows are done. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** What recording a conversation came to. */
export interface RecordOutcome {
  readonly transcript: string;
  readonly windows: number;
  /** Windows that an earlier run had recorded. */
  readonly known: number;
  readonly saved: readonly Memory[];
  readonly notSaved: readonly NotSaved[];
  /** Whether every window was read; false when the run was ended. */
  readonly isComplete: boolean;
}

/** Whether a window need not be read again: it is kept as it stands, and nothing of it was left out that is now wanted. */
function isRecorded(
  { window }: Reading,
  recorded: RecordedMemory | undefined,
  wanted: { readonly extractor: string; readonly all: boolean },
): boolean {
  if (recorded?.content !== window.content || recorded.extractor !== wanted.extractor) return false;
  return !wanted.all || recorded.leftOut === 0;
}

/** Reads windows one after another and hands them on in batches; ends early when told to. */
async function* extractBatches(
  readings: readonly Reading[],
  options: ExtractOptions,
): AsyncGenerator<readonly Extracted[]> {
  let batch: Extracted[] = [];
  let size = 0;
  for (const reading of readings) {
    if (options.signal.aborted) break;
    const extracted = await extractWindow(reading, options);
    if (size > 0 && size + extracted.documents.length > MAX_BATCH) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push(extracted);
    size += extracted.documents.length;
  }
  if (size > 0) yield batch;
}

/**
 * Saves a conversation's memories, window by window, in batches that the store acknowledges one after another. A window
 * that was recorded before is neither read nor saved again, so an interrupted run is finished by running it once more.
 */
export async function recordTranscript(
  { userId, conversation, transcriptId, forceSave = false }: RecordRequest,
  { extractor, memories, clock, countTokens, threshold }: RecordDeps,
  { signal = new AbortController().signal, onProgress }: RunOptions = {},
): Promise<RecordOutcome> {
  const transcript = transcriptId ?? conversation.id ?? toTranscriptId(conversation);
  const provenance = { userId, transcript, extractor: extractor.info.name, createdAt: clock().toISOString() };
  const readings = toReadings(conversation, countTokens);
  const recorded = await memories.listRecorded(userId, transcript);
  const wanted = { extractor: extractor.info.name, all: forceSave };
  const pending = readings.filter(
    (reading) => !isRecorded(reading, recorded.get(toEpisodeId(userId, transcript, reading.window)), wanted),
  );
  const known = readings.length - pending.length;
  const done: Extracted[] = [];
  onProgress?.(known, readings.length);
  const options = { extractor, threshold: forceSave ? 0 : threshold, provenance, signal };
  for await (const batch of extractBatches(pending, options)) {
    await memories.save(batch.flatMap(({ documents }) => documents));
    done.push(...batch);
    onProgress?.(known + done.length, readings.length);
  }
  return {
    transcript,
    windows: readings.length,
    known,
    saved: done.flatMap(({ shown }) => shown),
    notSaved: done.flatMap(({ notSaved }) => notSaved),
    isComplete: done.length === pending.length,
  };
}
