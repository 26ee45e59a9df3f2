import { type ErrorCode, isContextloomError } from '@contextloom/contracts';

/** So often a job is begun before nobody tries it again by himself. */
const MAX_ATTEMPTS = 10;
/** So often one is begun whose worker ends each time, such as for want of memory. */
const MAX_LOST = 50;
const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 3_600_000;

/** What another attempt cannot mend. */
const FINAL: readonly ErrorCode[] = ['invalid', 'forbidden', 'not_found', 'too_large'];

/** Why a job came to nothing, and when to try again: never when `retryInMs` is undefined. */
export interface Verdict {
  readonly reason: string;
  readonly retryInMs: number | undefined;
}

/** How long to wait after an attempt: twice as long each time, up to an hour, and not all at the same moment. */
export function toWaitMs(attempts: number, random: number): number {
  const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
  return Math.round(full * (0.75 + random / 4));
}

/** Judges an attempt that came to nothing; words of others stay in the log. */
export function judgeFailure(error: unknown, attempts: number, random: number): Verdict {
  const isKnown = isContextloomError(error);
  const reason = isKnown ? error.message : 'it failed for a reason that the log of the memory processor has';
  const isFinal = attempts >= MAX_ATTEMPTS || (isKnown && FINAL.includes(error.code));
  return { reason, retryInMs: isFinal ? undefined : toWaitMs(attempts, random) };
}

/** Why a job is not begun again, if its workers ended too often. */
export function refuseLost(attempts: number): string | undefined {
  return attempts > MAX_LOST ? `its worker ended ${MAX_LOST} times before it was done` : undefined;
}
