import type { Usage } from './extractor.ts';

/** The sum of the use of the model. */
export function sumUsage(parts: readonly (Usage | undefined)[]): Usage {
  return parts.reduce<Usage>(
    (sum, part) => ({
      calls: sum.calls + (part?.calls ?? 0),
      inputTokens: sum.inputTokens + (part?.inputTokens ?? 0),
      outputTokens: sum.outputTokens + (part?.outputTokens ?? 0),
    }),
    { calls: 0, inputTokens: 0, outputTokens: 0 },
  );
}

/** Use of the model since then. */
export function subtractUsage(now: Usage, then: Usage): Usage {
  return {
    calls: now.calls - then.calls,
    inputTokens: now.inputTokens - then.inputTokens,
    outputTokens: now.outputTokens - then.outputTokens,
  };
}
