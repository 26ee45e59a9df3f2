/** A file of the workspace as it was read. */
export interface WorkspaceFile {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  readonly text: string;
  /** Another one when the file changed. */
  readonly stamp: string;
  /** ISO 8601 UTC. */
  readonly modified: string;
}

/** What a write came to: it is on the disk, or somebody else changed the file meanwhile and nothing was written. */
export type WriteOutcome = 'written' | 'changed';

/** Makes another text of a file; undefined where nothing is to be written. */
export type ToText = (file: WorkspaceFile) => string | undefined | Promise<string | undefined>;

/** The files that people read and edit: the truth. */
export interface Workspace {
  readonly isReadOnly: boolean;
  /** The stamps of the known files there are, by path. */
  list(): Promise<ReadonlyMap<string, string>>;
  /**
   * Reads a file; undefined when it does not exist.
   * @throws ContextloomError `forbidden` for a link out of the workspace, `invalid` for what is not UTF-8, `unavailable`
   */
  read(path: string): Promise<WorkspaceFile | undefined>;
  /**
   * Replaces a file if it still is what was read (undefined: there was none). The old or the new text is there at any moment
   * after a loss of power.
   * @throws ContextloomError `forbidden` in a read-only workspace, `no_space`, `unavailable`
   */
  write(path: string, base: WorkspaceFile | undefined, text: string): Promise<WriteOutcome>;
  /**
   * Makes another text of what a file has at this very moment, for one that others change all the time: nobody comes in between where
   * the change needs no waiting. Undefined for no change.
   * @throws ContextloomError as `write`, and what the change throws
   */
  rewrite(path: string, toText: ToText): Promise<WriteOutcome>;
  /** Ends what a write left behind that was cut off. */
  recover(): Promise<void>;
}
