import type { ModelUsage } from '@contextloom/contracts';
import { toModelUsage } from '../answers.ts';
import type { MemoryProcessor } from '../domain/memory-processor.ts';

const thousands = (count: number): string => count.toLocaleString('en-US');

/** Use of the model: `12 calls, 3,400 tokens in, 560 out, $0.0021 (by list prices …)`. */
export function toUsageLine(
  { calls, input_tokens: input, output_tokens: output, price_usd: usd }: ModelUsage,
  basis: string,
) {
  const price = usd === undefined ? basis : `$${usd.toFixed(4)} (${basis})`;
  return `${thousands(calls)} ${calls === 1 ? 'call' : 'calls'}, ${thousands(input)} tokens in, ${thousands(output)} out, ${price}`;
}

/** What a run that fails has asked a model for until then; undefined when nothing. */
export function toSpentLine(processor: MemoryProcessor): string | undefined {
  const { spent } = processor;
  if (spent.calls === 0) return undefined;
  return `Until then it took ${toUsageLine(toModelUsage(spent, processor), processor.price(spent).basis)}.`;
}
