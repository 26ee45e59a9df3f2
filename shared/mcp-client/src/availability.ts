/** What is known of whether servers can be reached, over all connections to them. */
export interface Availability {
  readonly note: (server: string, isReached: boolean) => void;
  /** Whether it was reached when it was last needed; undefined for one that nobody needed yet. */
  readonly of: (server: string) => boolean | undefined;
}

/** Makes a place for what sets of upstreams find out. */
export function createAvailability(): Availability {
  const known = new Map<string, boolean>();
  return { note: (server, isReached) => void known.set(server, isReached), of: (server) => known.get(server) };
}
