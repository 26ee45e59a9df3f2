import type { Access, Principal } from '@contextloom/access';
import { ContextloomError } from '@contextloom/contracts';
import type { OperationContext } from '@contextloom/server-kit';
import type { AggregatorDeps } from '../sources/asking/deps.ts';

/** The aggregator's name, and its key in the configuration. */
export const SERVICE_NAME = 'context-aggregator';

/**
 * What belongs to one call: servers that are called for its caller alone, the answers that this caller was given before, and what
 * the configuration says now.
 */
export type CallerDeps = Pick<
  AggregatorDeps,
  'upstreams' | 'lastAnswers' | 'explanations' | 'deadlines' | 'sources' | 'prompts'
> & {
  /** Whether a server is first-party. */
  readonly isOwn: (server: string) => boolean;
};

/** What the operations work with. No server can be called without saying for whom. */
export interface OperationDeps extends Omit<AggregatorDeps, keyof CallerDeps> {
  readonly forCaller: (principal: Principal) => CallerDeps;
  /** Forgets what this process has in its memory of a user, for all callers. */
  readonly forgetAnswers: (userId: string) => void;
  /** Who may call over HTTP, and who did; absent over stdio. */
  readonly access?: Access | undefined;
}

/** What a call of an operation brings. */
export type AggregatorContext = OperationContext<OperationDeps>;

/** What stands in front of the HTTP endpoint. @throws ContextloomError `unavailable` over stdio, where there is none */
export function toAccess({ access }: Pick<OperationDeps, 'access'>): Access {
  if (access !== undefined) return access;
  throw new ContextloomError(
    'unavailable',
    'keys and activity are those of a server over HTTP; this one runs on stdio',
  );
}

/** What the sources of one call work with. */
export function toCallDeps({
  deps: { forCaller, ...deps },
  principal,
}: Pick<AggregatorContext, 'deps' | 'principal'>): AggregatorDeps {
  return { ...deps, ...forCaller(principal) };
}
