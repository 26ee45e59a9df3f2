import type { Usage } from '../extractor.ts';
import { sumUsage } from '../usage.ts';
import { toUnits } from '../windows/group-windows.ts';
import type { Reading } from './extract-window.ts';
import { planRecording, type RecordDeps } from './record-transcript.ts';
import type { RecordRequest, RetractedCounts } from './recording.ts';
import { workThrough } from './work-through.ts';

/** What recording a conversation would ask of a model. */
export interface RecordEstimate {
  readonly transcript: string;
  readonly windows: number;
  /** Windows that are recorded already, and are not read again. */
  readonly known: number;
  readonly usage: Usage;
  readonly retracted: RetractedCounts;
}

/** Looks what is recorded of a conversation and counts what the rest would ask of a model. Sends and saves nothing. */
export async function estimateRecording(
  request: RecordRequest,
  deps: RecordDeps,
  signal: AbortSignal,
): Promise<RecordEstimate> {
  const { transcript, readings, pending, retracted } = await planRecording(request, deps, signal);
  const usages: (Usage | undefined)[] = [];
  // The first window of a unit counts for all of them.
  const count = async ([first]: readonly Reading[]): Promise<void> => {
    if (first !== undefined) usages.push(deps.extractor.estimate?.(first.window, first.context));
  };
  await workThrough(toUnits(pending), count, { concurrency: 1, signal });
  return {
    transcript,
    windows: readings.length,
    known: readings.length - pending.length,
    usage: sumUsage(usages),
    retracted,
  };
}
