import { type ChatModel, countTokens } from '@contextloom/llm';
import { silentLog } from '@contextloom/runtime';
import { parseHistory } from '@contextloom/transcripts';
import type { Extractor } from './domain/extractor.ts';
import {
  MemoryProcessor as Processor,
  type MemoryProcessorOptions as ProcessorOptions,
} from './domain/memory-processor.ts';
import { createRulesExtractor } from './domain/rules-extractor.ts';
import { createModelExtractor } from './extraction/model-extractor.ts';
import { createModelJudge } from './extraction/model-judge.ts';
import { createPrice } from './extraction/price.ts';

/** Facts of less importance are not saved unless it is set lower, 1 to 10. */
export const DEFAULT_THRESHOLD = 3;
/** Windows that a model reads at once. */
export const DEFAULT_CONCURRENCY = 8;

/** What a memory processor is built from; all but the store has a default. */
export interface MemoryProcessorOptions extends Partial<Omit<ProcessorOptions, 'memories'>> {
  readonly memories: ProcessorOptions['memories'];
  /** The model that draws facts, e.g. of `createChatModel`; without it, and without an `extractor`, written rules do the work. */
  readonly llm?: ChatModel | undefined;
}

function toExtractor(llm: ChatModel | undefined): Extractor {
  const rules = createRulesExtractor();
  if (llm === undefined) return rules;
  const price = createPrice({ model: llm.model, baseUrl: llm.address });
  return createModelExtractor({ model: llm, rules, concurrency: DEFAULT_CONCURRENCY, price, log: silentLog });
}

/**
 * Turns conversations into rated memories and keeps them, with what is usual: a model if there is one, a threshold of 3,
 * the o200k_base token count, the system's clock.
 */
export class MemoryProcessor extends Processor {
  constructor({ llm, ...options }: MemoryProcessorOptions) {
    super({
      extractor: options.extractor ?? toExtractor(llm),
      threshold: DEFAULT_THRESHOLD,
      clock: () => new Date(),
      countTokens,
      readHistory: parseHistory,
      ...(llm !== undefined && { judge: createModelJudge({ model: llm, log: silentLog }) }),
      ...options,
    });
  }
}

/** The same as a function. */
export function createMemoryProcessor(options: MemoryProcessorOptions): MemoryProcessor {
  return new MemoryProcessor(options);
}
