import type { ModelUsage } from '@contextloom/contracts';
import type { FailedPiece, NotSaved } from './domain/extract-window.ts';
import type { Usage } from './domain/extractor.ts';
import type { MemoryProcessor } from './domain/memory-processor.ts';

/** To a millionth of a dollar: one call may cost less than a cent. */
const roundPrice = (usd: number): number => Math.round(usd * 1_000_000) / 1_000_000;

/** What a model was asked, as answers show it. */
export function toModelUsage(usage: Usage, processor: MemoryProcessor): ModelUsage {
  const { usd } = processor.price(usage);
  return {
    calls: usage.calls,
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    ...(usd !== undefined && { price_usd: roundPrice(usd) }),
  };
}

/** What reading came to besides its memories, as answers show it; without a model there is nothing to tell. */
export function toReadingFields(
  { failed, usage }: { readonly failed: readonly FailedPiece[]; readonly usage: Usage },
  processor: MemoryProcessor,
) {
  if (processor.extractor.kind === 'rules') return {};
  return { usage: toModelUsage(usage, processor), failed: failed.map(({ source, reason }) => ({ source, reason })) };
}

/** Facts that were not saved, as answers show them. */
export function toNotSaved(notSaved: readonly NotSaved[]): NotSaved[] {
  return notSaved.map((one) => ({ ...one }));
}
