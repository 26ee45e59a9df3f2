import type { Readable } from 'node:stream';

/** One file of a source. */
export interface Entry {
  /** Its path as people know it; inside an archive or a folder, from there. */
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  /** Opens it at its beginning; it can be opened again. */
  readonly open: () => Promise<Readable>;
}

/** Something of a source that is not read, and why. */
export interface Refused {
  readonly path: string;
  readonly reason: string;
}

/** What a path on the command line stands for: a file, or all files of a folder or an archive. */
export interface Source {
  /** As it was given. */
  readonly name: string;
  readonly entries: readonly Entry[];
  readonly refused: readonly Refused[];
  readonly close: () => Promise<void>;
}
