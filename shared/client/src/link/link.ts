import type { Progress } from '../options.ts';

/** One call as it is sent. */
export interface ToolRequest {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** What a tool answers. */
export interface ToolAnswer {
  /** Its text, block after block. */
  readonly text: string;
  /** The same as data, where the tool has any. */
  readonly structured: unknown;
}

/** The one connection of a client: opened by the first call, and again by the next one after it was lost. */
export interface Link {
  /** @throws ToolError, NotConnectedError, or what the SDK throws */
  readonly call: (request: ToolRequest) => Promise<ToolAnswer>;
  /** Ends the connection, and a server that was started for it. Later calls are refused. */
  readonly close: () => Promise<void>;
}
