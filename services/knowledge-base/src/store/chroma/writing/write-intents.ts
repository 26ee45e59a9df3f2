/** How long the intent of another process is left to it, in milliseconds: a process that is at work needs a tenth of a second. */
export const INTENT_LEASE_MS = 5_000;

/**
 * The writes of this process that are not over. A write shows in the engine before it is done; a process that meets what is left
 * of one needs to know whether somebody is still at work on it.
 */
export interface WriteIntents {
  /** Begins a write and names it; no other write of any process has this name. */
  begin(): string;
  /** Ends a write, successful or not. */
  end(nonce: string): void;
  /** Whether a write was begun by this process and is over: what is left of it, nobody else will take up. */
  isAbandoned(nonce: string): boolean;
  /** After so long, in milliseconds, the intent of another process is taken for lost. */
  readonly leaseMs: number;
}

/** Makes the list of this process's writes, which outlives a lost connection; `processId` is its own and nobody else's. */
export function createWriteIntents(processId: string, leaseMs = INTENT_LEASE_MS): WriteIntents {
  const underWay = new Set<string>();
  let begun = 0;
  return {
    begin: () => {
      begun += 1;
      const nonce = `${processId}.${begun}`;
      underWay.add(nonce);
      return nonce;
    },
    end: (nonce) => void underWay.delete(nonce),
    isAbandoned: (nonce) => nonce.startsWith(`${processId}.`) && !underWay.has(nonce),
    leaseMs,
  };
}
