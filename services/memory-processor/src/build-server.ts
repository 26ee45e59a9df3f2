import { randomUUID } from 'node:crypto';
import { ContextloomError } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import { createMcpServer, type McpServerFactory } from '@contextloom/server-kit';
import type { ModelBudget } from './domain/budget/model-budget.ts';
import type { JobQueue } from './domain/jobs/job-queue.ts';
import type { MemoryProcessor } from './domain/memory-processor.ts';
import type { NoteReader } from './domain/notes/note-reader.ts';
import { createRulesNoteReader } from './domain/notes/rules-reader.ts';
import type { CallingClient } from './extraction/calling-client.ts';
import type { ImportService } from './imports/import-service.ts';
import type { MemoryProcessorDeps } from './operations/deps.ts';
import { operations } from './operations/index.ts';

/** What the server is built from. */
export interface MemoryProcessorServerOptions {
  readonly processor: MemoryProcessor;
  /** Reads working sessions on a project: written rules when absent. */
  readonly noteReader?: NoteReader;
  /** What turns without a date get where a call does not say: the time of the call when absent. */
  readonly undatedTurns?: 'call' | 'none';
  /** Where files are handed in and imported; without it none are. */
  readonly imports?: ImportService | undefined;
  /** Keeps conversations that are read later; without it none are. */
  readonly jobs?: JobQueue;
  /** Bounds what the model is asked for; without it nothing does. */
  readonly budget?: ModelBudget | undefined;
  /** Whose model is asked, where that is the client's. */
  readonly callingClient?: CallingClient | undefined;
  readonly clock?: () => Date;
  readonly newId?: () => string;
  /** Forgets what this server itself keeps of a user; a processor without a journal keeps nothing. */
  readonly forget?: MemoryProcessorDeps['forget'];
  readonly version: string;
  readonly log: Log;
}

const refuse = async (): Promise<never> => {
  throw new ContextloomError('unavailable', 'this server has no folder for imports');
};

/** Of a processor without a folder. */
const noImports: ImportService = {
  upload: refuse,
  preview: refuse,
  start: refuse,
  undo: refuse,
  list: async () => [],
  forget: async () => 0,
  close: async () => undefined,
};

const refuseJobs = async (): Promise<never> => {
  throw new ContextloomError('unavailable', 'this server has no folder for jobs: leave "wait" out');
};

/** Of a processor without a folder. */
const noJobs: JobQueue = {
  add: refuseJobs,
  claim: async () => undefined,
  renew: refuseJobs,
  settle: refuseJobs,
  release: refuseJobs,
  find: async () => undefined,
  list: async () => [],
  retry: async () => undefined,
  cancel: async () => undefined,
  count: refuseJobs,
  countWaiting: async () => 0,
  purge: async () => undefined,
  forget: refuseJobs,
  close: async () => undefined,
};

/** Builds the memory processor's MCP server. */
export function createMemoryProcessorServer({
  processor,
  noteReader = createRulesNoteReader(),
  undatedTurns = 'call',
  imports = noImports,
  jobs = noJobs,
  budget,
  callingClient,
  clock = () => new Date(),
  newId = randomUUID,
  forget = async () => ({ erased: [], unreached: [] }),
  version,
  log,
}: MemoryProcessorServerOptions): McpServerFactory {
  return createMcpServer({
    name: 'memory-processor',
    version,
    instructions:
      'Turns conversations into rated memories. process_transcript saves them for a user; extract_memories only shows them.',
    operations,
    deps: { processor, noteReader, undatedTurns, imports, jobs, budget, callingClient, clock, newId, forget },
    log,
  });
}
