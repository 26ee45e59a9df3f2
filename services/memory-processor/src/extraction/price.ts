import { calcPrice } from '@pydantic/genai-prices';
import type { Extractor, Usage } from '../domain/extractor.ts';

/** What prices follow from. */
export interface PriceOptions {
  readonly model: string;
  readonly baseUrl?: string | undefined;
  /** US dollars a million tokens, where the user knows better. */
  readonly inputPrice?: number | undefined;
  readonly outputPrice?: number | undefined;
}

const UNKNOWN = 'no price is known: set LLM_INPUT_PRICE and LLM_OUTPUT_PRICE (US dollars a million tokens)';

function isOnThisMachine(baseUrl: string): boolean {
  return /^(?:127\.|localhost$|\[::1\]$|0\.0\.0\.0$)/u.test(new URL(baseUrl).hostname);
}

/** Tells what usage costs: by the user's own prices, else by the public list prices of the package genai-prices. */
export function createPrice({
  model,
  baseUrl,
  inputPrice,
  outputPrice,
}: PriceOptions): NonNullable<Extractor['price']> {
  const byOwn = ({ inputTokens, outputTokens }: Usage) => ({
    usd: (inputTokens * (inputPrice ?? 0) + outputTokens * (outputPrice ?? 0)) / 1_000_000,
    basis: 'by LLM_INPUT_PRICE and LLM_OUTPUT_PRICE',
  });
  const byList = ({ inputTokens, outputTokens }: Usage) => {
    const usage = { input_tokens: inputTokens, output_tokens: outputTokens };
    const found = calcPrice(
      usage,
      model,
      baseUrl === undefined ? { providerId: 'openai' } : { providerApiUrl: baseUrl },
    );
    if (found === null || found === undefined) return { basis: UNKNOWN };
    return {
      usd: found.total_price,
      basis: `by list prices of ${found.provider.name} for ${found.model.name ?? model}`,
    };
  };
  if (inputPrice !== undefined && outputPrice !== undefined) return byOwn;
  if (baseUrl !== undefined && isOnThisMachine(baseUrl)) return () => ({ basis: UNKNOWN });
  return byList;
}
