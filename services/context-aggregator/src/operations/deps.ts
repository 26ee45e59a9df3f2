import type { OperationContext, Principal } from '@contextloom/mcp-kit';
import type { AggregatorDeps } from '../sources/asking/deps.ts';

/** The aggregator's name, and its key in the configuration. */
export const SERVICE_NAME = 'context-aggregator';

/** What belongs to one caller: servers that are asked for it alone, and the answers that it was given before. */
export type CallerDeps = Pick<AggregatorDeps, 'upstreams' | 'lastAnswers' | 'explanations'>;

/** What the operations work with. No server can be asked without saying for whom. */
export interface OperationDeps extends Omit<AggregatorDeps, keyof CallerDeps> {
  readonly forCaller: (principal: Principal) => CallerDeps;
}

/** What a call of an operation brings. */
export type AggregatorContext = OperationContext<OperationDeps>;

/** What the sources of one call work with. */
export function toCallDeps({ deps: { forCaller, ...deps }, principal }: AggregatorContext): AggregatorDeps {
  return { ...deps, ...forCaller(principal) };
}
