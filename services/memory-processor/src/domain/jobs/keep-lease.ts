/** How a lease is kept. */
export interface LeaseOptions {
  /** How long it lasts without being renewed, in milliseconds. */
  readonly leaseMs: number;
  /** How often it is renewed at least, in milliseconds. */
  readonly everyMs?: number;
  /** Called when it is another's, or when nobody knows any more whose it is. */
  readonly onLost: () => void;
}

/** Renews a lease while there is work, and says when it is another's. */
export function keepLease(
  renew: () => Promise<boolean>,
  { leaseMs, everyMs = 5_000, onLost }: LeaseOptions,
): { readonly stop: () => void } {
  let renewedAt = performance.now();
  const timer = setInterval(
    () => {
      renew().then(
        (isKept) => {
          if (isKept) renewedAt = performance.now();
          else onLost();
        },
        // Nobody knows whose it is once its time is over.
        () => performance.now() - renewedAt > leaseMs && onLost(),
      );
    },
    Math.min(leaseMs / 3, everyMs),
  );
  return { stop: () => clearInterval(timer) };
}
