import type { Language } from '@contextloom/contracts';
import type { RenewableIndex } from './entry-index.ts';
import type { Workspace } from './workspace.ts';

/** Days and times in the zone whose "today" counts. */
export interface Calendar {
  /** A time as the day and `HH:MM` of the zone. */
  readonly toLocal: (time: Date) => { readonly date: string; readonly time: string };
  /** The moment that a day and `HH:MM[:SS]` (midnight when absent) are in the zone, ISO 8601 UTC. */
  readonly toInstant: (date: string, time: string | undefined) => string;
  /** The day some days before another. */
  readonly daysBefore: (date: string, days: number) => string;
}

/** Hears of files that changed. */
export interface FileEvents {
  /** A file has another text now, or is gone. */
  readonly onChanged: (path: string) => void;
  /** There are other files than before. */
  readonly onListChanged: () => void;
}

/** What a memory is given; each of its functions takes what it needs of it. */
export interface MemoryPorts {
  readonly workspace: Workspace;
  readonly index: RenewableIndex;
  readonly calendar: Calendar;
  /** The language of headings that are written; `auto` for that of the files. */
  readonly language: Language | 'auto';
  readonly clock: () => Date;
  readonly newId: () => string;
  /** Called for a file that could not be read, written or indexed. */
  readonly onProblem: (path: string, cause: unknown) => void;
}
