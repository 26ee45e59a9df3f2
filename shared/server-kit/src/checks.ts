import { isContextloomError } from '@contextloom/contracts';
import { withDeadline } from '@contextloom/mcp-client';
import type { Log } from '@contextloom/runtime';

/** One thing that a server needs, and whether it works, fails or is not in use. */
export interface Check {
  readonly name: string;
  readonly status: 'ok' | 'failed' | 'off';
  /** What was found, or what is wrong and what to do; one sentence in our own words. */
  readonly detail: string;
}

/** What trying something out came to, unless it throws. */
export type CheckOutcome = Omit<Check, 'name'>;

/** How one check is run. */
export interface CheckOptions {
  readonly log: Log;
  /** How long it may take, in milliseconds. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;

/** Runs one check with a deadline, 10 s by default; whatever it throws is a failed check. */
export async function runCheck(
  name: string,
  work: (signal: AbortSignal) => Promise<CheckOutcome>,
  { log, timeoutMs = TIMEOUT_MS }: CheckOptions,
): Promise<Check> {
  try {
    const raced = await withDeadline(work, { timeoutMs });
    if (raced.kind === 'done') return { name, ...raced.value };
    return { name, status: 'failed', detail: `did not answer within ${timeoutMs / 1_000} s` };
  } catch (cause) {
    log.debug({ check: name, cause }, 'check failed');
    return { name, status: 'failed', detail: toDetail(cause) };
  }
}

/** Foreign words stay in the log. */
function toDetail(cause: unknown): string {
  return isContextloomError(cause) ? cause.message : 'failed unexpectedly; LOG_LEVEL=debug shows why';
}
