import type { Machine } from './machine.ts';

/** A stream that text is written to; `columns` and `isTTY` are set when it is a terminal. */
export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Where a command runs: its streams, settings and clock, given by `main.ts` or by a test. */
export interface CliContext {
  /** Results, and nothing else. */
  readonly stdout: OutputStream;
  /** Logs, progress and error messages. */
  readonly stderr: OutputStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Relative paths on the command line start here. */
  readonly cwd: string;
  /** The Node binary that services are started with. */
  readonly execPath: string;
  /** The machine of the user; absent where it has no home folder. */
  readonly machine?: Machine | undefined;
  /** Puts a question to a person and answers their line; absent where nobody sits at a terminal. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
  /** What a program pipes into this one; absent at a terminal. */
  readonly readInput?: (() => Promise<string>) | undefined;
  /** Starts this command again, to outlive this process; absent where nothing may be left behind. */
  readonly startDetached?: ((args: readonly string[]) => void) | undefined;
  /** Aborted when the user asks the command to end. */
  readonly signal: AbortSignal;
  /** The time of day, from which the ages of files follow. */
  readonly clock: () => Date;
  /** Milliseconds since any fixed point. */
  readonly now: () => number;
}

/** The options that every command takes. */
export interface GlobalOptions {
  /** The composition file, as given on the command line. */
  readonly config?: string | undefined;
  /** Streamable HTTP address of a running aggregator. */
  readonly url?: string;
  readonly json: boolean;
  readonly verbose: boolean;
}
