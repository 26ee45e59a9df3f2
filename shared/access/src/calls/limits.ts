import { ContextloomError } from '@contextloom/contracts';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { SharedCounter } from './shared-counts.ts';
import type { UnfinishedBody } from './unfinished-body.ts';

/** How much one caller may ask. */
export interface Limits {
  readonly callsPerMinute: number;
  /** Requests that are answered at once, and as many event streams. */
  readonly concurrentCalls: number;
}

/** A request that was let in. */
export interface RunningCall {
  /** Says that it has ended. */
  readonly end: () => void;
  /** Counts it among the event streams from now on, which last. @throws ContextloomError `rate_limited` */
  readonly becomeStream: () => void;
}

/** Counts what callers ask. */
export interface Limiter {
  /** Counts a request; where too many run, the slowest whose body is unfinished makes way. @throws ContextloomError `rate_limited` */
  readonly begin: (caller: string, body?: UnfinishedBody) => Promise<RunningCall>;
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

/** What is counted together, in seconds. The library tells the rest of it by the time of day, which may be set back meanwhile. */
const WINDOW_S = 60;

async function consume(limiter: RateLimiterMemory, key: string, message: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (rejected) {
    if (!(rejected instanceof RateLimiterRes)) throw rejected;
    throw new RateLimitedError(message, Math.min(WINDOW_S, Math.max(1, Math.ceil(rejected.msBeforeNext / 1_000))));
  }
}

interface Counted {
  readonly body: UnfinishedBody | undefined;
}

/** What one caller has open. */
interface Open {
  readonly calls: Set<Counted>;
  readonly streams: Set<Counted>;
}

/** Makes room among the calls of a caller: bodies that never end must not keep out what could be answered. */
function evictIdle({ calls }: Open, most: number): void {
  if (calls.size < most) return;
  const unfinished = [...calls].filter(({ body }) => body?.isUnfinished() === true);
  const [slowest] = unfinished.sort((a, b) => (a.body?.pace() ?? 0) - (b.body?.pace() ?? 0));
  if (slowest === undefined) {
    throw new RateLimitedError(`at most ${most} requests of one caller are answered at once`, 1);
  }
  calls.delete(slowest);
  slowest.body?.cut();
}

/** Counts a call; @throws ContextloomError `rate_limited` */
type Consume = (key: string, message: string) => Promise<void>;

function toConsume(what: string, points: number, counter: SharedCounter | undefined): Consume {
  if (counter === undefined) {
    const limiter = new RateLimiterMemory({ points, duration: WINDOW_S });
    return (key, message) => consume(limiter, key, message);
  }
  return async (key, message) => {
    const { total, secondsLeft } = counter.count(`${what} ${key}`);
    if (total > points) throw new RateLimitedError(message, Math.min(WINDOW_S, Math.max(1, secondsLeft)));
  };
}

/** Limits in this process's memory; with a counter, those of a minute hold over all servers of the same name. */
export function createLimiter({ callsPerMinute, concurrentCalls: most }: Limits, counter?: SharedCounter): Limiter {
  const countCall = toConsume('calls of', callsPerMinute, counter);
  const countFailure = toConsume('wrong keys of', FAILURES_PER_MINUTE, counter);
  const callers = new Map<string, Open>();
  return {
    begin: async (caller, body) => {
      const open = callers.get(caller) ?? { calls: new Set(), streams: new Set() };
      evictIdle(open, most);
      const counted = { body };
      open.calls.add(counted);
      callers.set(caller, open);
      const end = (): void => {
        open.calls.delete(counted);
        open.streams.delete(counted);
        if (open.calls.size + open.streams.size === 0 && callers.get(caller) === open) callers.delete(caller);
      };
      await countCall(caller, `at most ${callsPerMinute} requests a minute`).catch((error: unknown) => {
        end();
        throw error;
      });
      const becomeStream = (): void => {
        if (open.streams.size >= most) {
          throw new RateLimitedError(`at most ${most} event streams of one caller are open at once`, 1);
        }
        if (open.calls.delete(counted)) open.streams.add(counted);
      };
      return { end, becomeStream };
    },
    refuse: (address) => countFailure(address, 'too many wrong keys from this address'),
  };
}
