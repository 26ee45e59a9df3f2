import type { MemoryProcessor } from '../domain/memory-processor.ts';

/** What the tools work with. */
export interface MemoryProcessorDeps {
  readonly processor: MemoryProcessor;
  /** What turns without a date get where a call does not say. */
  readonly undatedTurns: 'call' | 'none';
}
