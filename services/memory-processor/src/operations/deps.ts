import type { Forgotten } from '@contextloom/contracts';
import type { OperationContext } from '@contextloom/server-kit';
import type { ModelBudget } from '../domain/budget/model-budget.ts';
import type { JobQueue } from '../domain/jobs/job-queue.ts';
import type { MemoryProcessor } from '../domain/memory-processor.ts';
import type { NoteReader } from '../domain/notes/note-reader.ts';
import type { CallingClient } from '../extraction/calling-client.ts';
import type { ImportService } from '../imports/import-service.ts';

/** What the operations work with. */
export interface MemoryProcessorDeps {
  readonly processor: MemoryProcessor;
  /** Reads working sessions on a project. */
  readonly noteReader: NoteReader;
  /** What turns without a date get where a call does not say. */
  readonly undatedTurns: 'call' | 'none';
  /** Where files are handed in and imported. */
  readonly imports: ImportService;
  /** Conversations that are read later. */
  readonly jobs: JobQueue;
  /** Bounds what the model is asked for; absent where nothing does. */
  readonly budget: ModelBudget | undefined;
  /** Whose model is asked, where that is the client's; absent where another one is. */
  readonly callingClient: CallingClient | undefined;
  readonly clock: () => Date;
  readonly newId: () => string;
  /** Counts what this server itself keeps of a user, and erases it unless it is a dry run. */
  readonly forget: (userId: string, isDryRun: boolean) => Promise<Forgotten>;
}

/** What a call of an operation brings. */
export type MemoryProcessorContext = OperationContext<MemoryProcessorDeps>;

/** Reads something in a call: the model of the client that calls is asked, where that is the one. */
export function readInCall<T>(
  {
    deps: { callingClient },
    sample,
  }: Pick<MemoryProcessorContext, 'sample'> & { readonly deps: Pick<MemoryProcessorDeps, 'callingClient'> },
  read: () => Promise<T>,
): Promise<T> {
  return callingClient === undefined ? read() : callingClient.during(sample, read);
}
