import type { Log, Upstreams } from '@contextloom/mcp-kit';

/** How long the other servers may take, start-up included, in milliseconds. */
export interface Deadlines {
  /** For each source of a prompt, and for every other short question. */
  readonly sourceMs: number;
  /** For turning a conversation into memories, which may call a model many times. */
  readonly storeMs: number;
}

/** What the tools work with. */
export interface AggregatorDeps {
  readonly upstreams: Upstreams;
  readonly deadlines: Deadlines;
  readonly log: Log;
}
