import { countTokens } from '@contextloom/llm';
import { MemoryProcessor, type MemoryProcessorOptions } from './domain/memory-processor.ts';
import { createRulesExtractor } from './domain/rules-extractor.ts';

/** Facts of less importance are not saved unless told so, 1 to 10. */
export const DEFAULT_THRESHOLD = 3;

/** A memory processor with what is usual: written rules, a threshold of 3, the o200k_base token count, the system's clock. */
export function createMemoryProcessor(
  options: Pick<MemoryProcessorOptions, 'memories'> & Partial<MemoryProcessorOptions>,
): MemoryProcessor {
  return new MemoryProcessor({
    extractor: createRulesExtractor(),
    threshold: DEFAULT_THRESHOLD,
    clock: () => new Date(),
    countTokens,
    ...options,
  });
}
