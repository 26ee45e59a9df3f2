import { ContextloomError } from '@contextloom/contracts';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** How much one caller may ask. */
export interface Limits {
  readonly callsPerMinute: number;
  readonly concurrentCalls: number;
}

/** Counts what callers ask. */
export interface Limiter {
  /** Counts a call; the answer says that it has ended. @throws ContextloomError `rate_limited` */
  readonly begin: (caller: string) => Promise<() => void>;
  /** Counts a failed try to get in. @throws ContextloomError `rate_limited` where an address tried too often */
  readonly refuse: (address: string) => Promise<void>;
}

/** Wrong keys of one address a minute; a person does not mistype more often. */
const FAILURES_PER_MINUTE = 30;

/** An error that says when to come back. */
export class RateLimitedError extends ContextloomError {
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number) {
    super('rate_limited', message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

async function consume(limiter: RateLimiterMemory, key: string, message: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (rejected) {
    if (!(rejected instanceof RateLimiterRes)) throw rejected;
    throw new RateLimitedError(message, Math.max(1, Math.ceil(rejected.msBeforeNext / 1_000)));
  }
}

/** Limits in this process's memory: each server counts for itself. */
export function createLimiter({ callsPerMinute, concurrentCalls }: Limits): Limiter {
  const calls = new RateLimiterMemory({ points: callsPerMinute, duration: 60 });
  const failures = new RateLimiterMemory({ points: FAILURES_PER_MINUTE, duration: 60 });
  const running = new Map<string, number>();
  return {
    begin: async (caller) => {
      const now = running.get(caller) ?? 0;
      if (now >= concurrentCalls) {
        throw new RateLimitedError(`at most ${concurrentCalls} requests of one caller are answered at once`, 1);
      }
      running.set(caller, now + 1);
      let hasEnded = false;
      const end = (): void => {
        if (hasEnded) return;
        hasEnded = true;
        const left = (running.get(caller) ?? 1) - 1;
        if (left <= 0) running.delete(caller);
        else running.set(caller, left);
      };
      await consume(calls, caller, `at most ${callsPerMinute} requests a minute`).catch((error: unknown) => {
        end();
        throw error;
      });
      return end;
    },
    refuse: (address) => consume(failures, address, 'too many wrong keys from this address'),
  };
}
