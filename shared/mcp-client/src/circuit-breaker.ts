import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, ExponentialBackoff, handleType } from 'cockatiel';
import { CircuitOpenError, isOutage } from './failure.ts';

/** So many outages in a row open the breaker. */
const OUTAGES = 3;

/** How long a server is left alone after that, in milliseconds; doubled, with jitter, each time that the probe fails. */
const BACKOFF = { initialDelay: 500, maxDelay: 30_000 };

/** An outage on its way to the breaker. */
class Outage extends Error {
  readonly isOpen: boolean;

  constructor(cause: unknown, isOpen: boolean) {
    super('outage', { cause });
    this.isOpen = isOpen;
  }
}

/** Leaves a server alone for a while after it failed several times in a row, then tries it with one call. */
export interface CircuitBreaker {
  /** `onOpen` is called with the connection once there is one: all calls that it takes down with it are one outage. */
  readonly run: <T>(work: (onOpen: (connection: object) => void) => Promise<T>, signal?: AbortSignal) => Promise<T>;
}

/** Makes the circuit breaker of one server, with a half-open probe. Nothing that the server answers counts as an outage. */
export function createCircuitBreaker(): CircuitBreaker {
  const breaker = circuitBreaker(handleType(Outage), {
    breaker: new ConsecutiveBreaker(OUTAGES),
    halfOpenAfter: new ExponentialBackoff(BACKOFF),
  });
  const counted = new WeakSet<object>();
  let last: Outage | undefined;

  /** Several calls may wait for the same start, or be under way on the same connection. */
  function isNew(source: unknown): boolean {
    if (typeof source !== 'object' || source === null || counted.has(source)) return false;
    counted.add(source);
    return true;
  }

  return {
    run: async (work, signal) => {
      try {
        return await breaker.execute(async () => {
          let connection: object | undefined;
          try {
            return await work((opened) => {
              connection = opened;
            });
          } catch (cause) {
            const isCounted = signal?.aborted !== true && isOutage(cause) && isNew(connection ?? cause);
            throw isCounted ? new Outage(cause, connection !== undefined) : cause;
          }
        });
      } catch (error) {
        if (error instanceof BrokenCircuitError)
          throw new CircuitOpenError(last?.cause, { isOpen: last?.isOpen ?? false });
        if (!(error instanceof Outage)) throw error;
        last = error;
        throw error.cause;
      }
    },
  };
}
