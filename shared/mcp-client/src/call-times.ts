/** How the newest calls of a server went. */
export interface CallSummary {
  /** Calls that the figures are of. */
  readonly calls: number;
  /** Those that came to no result, or to an error. */
  readonly failed: number;
  /** Half of the answers took no longer, in milliseconds; absent without an answer. */
  readonly p50Ms?: number;
  /** 95 of 100 answers took no longer, in milliseconds. */
  readonly p95Ms?: number;
}

/** How long servers take, over all connections to them. */
export interface CallTimes {
  /** A call has ended: after so many milliseconds, the start of the server not counted. */
  readonly note: (server: string, ms: number, isOk: boolean) => void;
  /** Undefined for a server that was not called yet. */
  readonly of: (server: string) => CallSummary | undefined;
}

/** The newest calls of a server that count. */
const MAX_CALLS = 200;

interface EndedCall {
  readonly ms: number;
  readonly isOk: boolean;
}

/** The nearest-rank percentile of sorted values. */
const toPercentile = (sorted: readonly number[], part: number): number | undefined =>
  sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)];

function summarize(calls: readonly EndedCall[]): CallSummary {
  const sorted = calls.flatMap(({ ms, isOk }) => (isOk ? [ms] : [])).toSorted((a, b) => a - b);
  const [p50Ms, p95Ms] = [toPercentile(sorted, 0.5), toPercentile(sorted, 0.95)];
  return {
    calls: calls.length,
    failed: calls.length - sorted.length,
    ...(p50Ms !== undefined && { p50Ms }),
    ...(p95Ms !== undefined && { p95Ms }),
  };
}

/** Makes a place for what sets of upstreams measure. */
export function createCallTimes(): CallTimes {
  const known = new Map<string, EndedCall[]>();
  return {
    note: (server, ms, isOk) => {
      const calls = known.get(server) ?? [];
      known.set(server, calls);
      calls.push({ ms, isOk });
      if (calls.length > MAX_CALLS) calls.shift();
    },
    of: (server) => {
      const calls = known.get(server);
      return calls && summarize(calls);
    },
  };
}
