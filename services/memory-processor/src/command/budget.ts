import { ContextloomError } from '@contextloom/contracts';
import type { Usage } from '../domain/extractor.ts';
import type { MemoryProcessor } from '../domain/memory-processor.ts';

/** What a run may ask of a model at most. */
export interface Budget {
  /** Tokens sent and received. */
  readonly maxTokens?: number;
  /** US dollars. */
  readonly maxCost?: number;
}

/** Reads `--max-tokens` and `--max-cost`; `fail` never returns. */
export function parseBudget(
  { maxTokens, maxCost }: { readonly maxTokens?: string | undefined; readonly maxCost?: string | undefined },
  fail: (message: string) => never,
): Budget {
  const read = (name: string, text: string | undefined, isAllowed: (value: number) => boolean, allowed: string) => {
    if (text === undefined) return undefined;
    const value = Number(text);
    return isAllowed(value) && text.trim() !== '' ? value : fail(`error: --${name} must be ${allowed}`);
  };
  const tokens = read(
    'max-tokens',
    maxTokens,
    (value) => Number.isInteger(value) && value > 0,
    'a whole number above 0',
  );
  const cost = read('max-cost', maxCost, (value) => value > 0, 'a number of US dollars above 0');
  return { ...(tokens !== undefined && { maxTokens: tokens }), ...(cost !== undefined && { maxCost: cost }) };
}

const NOTHING: Usage = { calls: 0, inputTokens: 0, outputTokens: 0 };

/**
 * Ends a run once it has asked a model for as much as it may: what is under way is finished and saved, and the same command again
 * goes on.
 * @returns a signal that is given by the signal of the caller too, and a function to tell what was spent
 * @throws ContextloomError `invalid` where a cost is bounded that nobody knows
 */
export function createBudget({ maxTokens, maxCost }: Budget, price: MemoryProcessor['price'], signal: AbortSignal) {
  if (maxCost !== undefined && price(NOTHING).usd === undefined) {
    throw new ContextloomError('invalid', `--max-cost needs prices: ${price(NOTHING).basis}`);
  }
  const over = new AbortController();
  let reached: string | undefined;
  return {
    signal: AbortSignal.any([signal, over.signal]),
    /** The limit that ended the run, in words. */
    reached: () => reached,
    onUsage: (spent: Usage): void => {
      const tokens = spent.inputTokens + spent.outputTokens;
      if (maxTokens !== undefined && tokens >= maxTokens) reached ??= `--max-tokens ${maxTokens}`;
      if (maxCost !== undefined && (price(spent).usd ?? 0) >= maxCost) reached ??= `--max-cost ${maxCost}`;
      if (reached !== undefined) over.abort();
    },
  };
}
