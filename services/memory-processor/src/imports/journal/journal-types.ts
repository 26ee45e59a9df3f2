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

/** Keeps what was handed in and what became of it; durable once a method returns. */
export interface Journal {
  readonly begin: (one: Pick<JournalImport, 'id' | 'userId' | 'sources'>) => void;
  readonly end: (id: string, state: Exclude<ImportState, 'running'>) => void;
  /** What became of a conversation in an earlier run, and how many memories of it are saved. */
  readonly getItem: (
    id: string,
    key: string,
  ) => { readonly state: ItemState['state']; readonly saved: number } | undefined;
  readonly settle: (id: string, one: JournalItem, item: ItemState) => void;
  readonly get: (id: string) => JournalImport | undefined;
  readonly list: () => readonly JournalImport[];
  readonly failures: (id: string) => readonly JournalFailure[];
  /** Forgets what became of the conversations of an import. */
  readonly clear: (id: string) => void;
  readonly close: () => void;
}
