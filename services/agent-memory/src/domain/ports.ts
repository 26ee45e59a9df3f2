import type { Calendar } from './calendar.ts';
import type { RenewableIndex } from './entry-index.ts';
import type { Language } from './titles.ts';
import type { Workspace } from './workspace.ts';

/** What a memory is given; each of its functions takes what it needs of it. */
export interface MemoryPorts {
  readonly workspace: Workspace;
  readonly index: RenewableIndex;
  readonly calendar: Calendar;
  /** The language of headings that are written; `auto` for that of the files. */
  readonly language: Language | 'auto';
  readonly clock: () => Date;
  readonly newId: () => string;
  /** Told of a file that could not be read, written or indexed. */
  readonly onProblem: (path: string, cause: unknown) => void;
}
