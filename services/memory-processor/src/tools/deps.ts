import type { MemoryProcessor } from '../domain/memory-processor.ts';

/** What the tools work with. */
export interface MemoryProcessorDeps {
  readonly processor: MemoryProcessor;
}
