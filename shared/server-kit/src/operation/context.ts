import type { Principal } from '@contextloom/access';

/** What an operation may use of the call that it answers. */
export interface OperationContext<Deps> {
  readonly deps: Deps;
  readonly principal: Principal;
  /** Told whom a call is about, for the audit log. */
  readonly noteSubjects?: ((ids: readonly string[]) => void) | undefined;
  /** Aborted when the caller cancels or goes away. */
  readonly signal: AbortSignal;
  /** Tells the caller how far the work is; does nothing when it did not ask. */
  readonly reportProgress: (done: number, total?: number, message?: string) => void;
}
