import type { Principal } from '@contextloom/access';
import type { Sample } from '@contextloom/mcp-client';
import type { MaskCall } from '../privacy/mask-call.ts';

/** What an operation may use of the call that it answers. */
export interface OperationContext<Deps> {
  readonly deps: Deps;
  readonly principal: Principal;
  /** Gets whom a call is about, for the audit log. */
  readonly noteSubjects?: ((ids: readonly string[]) => void) | undefined;
  /** Aborted when the caller cancels or goes away. */
  readonly signal: AbortSignal;
  /** Tells the caller how far the work is; does nothing when it did not ask. */
  readonly reportProgress: (done: number, total?: number, message?: string) => void;
  /** Masks the words of a call that stores something, where this installation asks for that. */
  readonly mask?: MaskCall | undefined;
  /** Asks the model of the client that calls; absent where it has said that it has none. */
  readonly sample?: Sample | undefined;
}
