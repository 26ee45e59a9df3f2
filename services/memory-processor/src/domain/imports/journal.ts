import type { Forgotten } from '@contextloom/contracts';

/** What became of a conversation that was handed in. */
export type ItemState =
  | { readonly state: 'saved'; readonly saved: number }
  | { readonly state: 'nothing' }
  | { readonly state: 'failed'; readonly saved: number; readonly reason: string; readonly retryable: boolean };

/** How far an import is: a run is under way or was cut off, ended, was stopped, or was taken back. */
export type ImportState = 'running' | 'done' | 'stopped' | 'undone';

/** An import as the journal tells of it. */
export interface JournalImport {
  readonly id: string;
  readonly userId: string;
  readonly sources: readonly string[];
  readonly state: ImportState;
  /** ISO 8601 UTC. */
  readonly startedAt: string;
  readonly endedAt: string | null;
  /** Conversations that came to an end, whatever the end. */
  readonly conversations: number;
  /** Memories. */
  readonly saved: number;
  /** Conversations in which nothing was new. */
  readonly nothing: number;
  /** Conversations. */
  readonly failed: number;
  /** Memories that stay as the user corrected them, and those that are left out since the user deleted them. */
  readonly corrected: number;
  readonly deleted: number;
}

/** A conversation that could not be kept, and why. */
export interface JournalFailure {
  readonly title: string;
  readonly reason: string;
  readonly retryable: boolean;
}

/** A conversation that was handed in, or a part of a long one. */
export interface JournalItem {
  readonly key: string;
  readonly title: string;
  /** From 1; 0 of what is no conversation. */
  readonly part: number;
  /** How many of its memories a person has corrected or deleted. */
  readonly retracted?: { readonly corrected: number; readonly deleted: number } | undefined;
}

/** The graph of an import, which is kept in personal memory. */
export const GRAPH_ITEM = { key: 'graph', title: 'entities and relations' } as const;

/** Keeps what was handed in and what became of it; durable once a method resolves, and all reject with `ContextloomError`. */
export interface Journal {
  readonly begin: (one: Pick<JournalImport, 'id' | 'userId' | 'sources'>) => Promise<void>;
  readonly end: (id: string, state: Exclude<ImportState, 'running'>) => Promise<void>;
  /** What became of a conversation in an earlier run, and how many memories of it are saved. */
  readonly getItem: (
    id: string,
    key: string,
  ) => Promise<{ readonly state: ItemState['state']; readonly saved: number } | undefined>;
  readonly settle: (id: string, one: JournalItem, item: ItemState) => Promise<void>;
  readonly get: (id: string) => Promise<JournalImport | undefined>;
  /** Those of a user, or of all; newest first. */
  readonly list: (userId?: string) => Promise<readonly JournalImport[]>;
  readonly failures: (id: string) => Promise<readonly JournalFailure[]>;
  /** Forgets what became of the conversations of an import. */
  readonly clear: (id: string) => Promise<void>;
  /** Counts a user's imports, and unless it is a dry run erases them. */
  readonly forget: (userId: string, isDryRun: boolean) => Promise<Forgotten>;
}

/** How far an import is, in turns; known where other processes can ask for it. */
export interface ImportProgress {
  readonly done: number;
  readonly total: number;
}

/** What an import is taken with. */
export interface ImportHolder {
  /** Called when it has to end: somebody takes it back, or another process has it. */
  readonly onStop: () => void;
  readonly progress: () => ImportProgress;
}

/** Leaves an import to one process at a time. */
export interface ImportLocks {
  /** Answers what gives it back. @throws ContextloomError `conflict` while another process works on it */
  readonly take: (id: string, holder: ImportHolder) => Promise<() => Promise<void>>;
  /** Who works on it, this process or another; undefined while none does. */
  readonly look: (id: string) => Promise<{ readonly progress?: ImportProgress | undefined } | undefined>;
  /** Asks the process that works on it to end, and waits for that as long as can be; nothing where it cannot be reached. */
  readonly stop: (id: string) => Promise<void>;
}

/** Keeps when each reading again began that is not done yet; durable once a method resolves. */
export interface Rereadings {
  /** When it began, ISO 8601 UTC; undefined when none of this name is open. */
  readonly find: (name: string) => Promise<string | undefined>;
  /** Opens one now, unless it is open already; answers when it began, ISO 8601 UTC. */
  readonly begin: (name: string) => Promise<string>;
  readonly end: (name: string) => Promise<void>;
}

/** All that is kept of imports. */
export interface ImportRecords {
  readonly journal: Journal;
  readonly locks: ImportLocks;
  readonly rereadings: Rereadings;
}
