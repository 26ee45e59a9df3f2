/** How many connections there may be at once. */
export interface ConnectionLimits {
  readonly inAll: number;
  /** Of one owner. */
  readonly perOwner: number;
}

/** A connection, as the pool sees it. */
export interface PooledConnection {
  /** Whose it is: a user, or a caller who is not one. */
  readonly owner: string;
  readonly isBusy: () => boolean;
  /** Closes it; it is opened again when it is needed. */
  readonly close: () => void;
}

/** A place in the pool. */
export interface Lease {
  /** Notes that the connection is used. */
  readonly touch: () => void;
  readonly release: () => void;
}

/** Bounds the connections of several sets of upstreams: an idle one, the one unused for longest, is closed for the next. */
export interface ConnectionPool {
  /** Takes a place for a connection that is about to be opened. @throws ConnectionsInUseError where none is idle */
  readonly lease: (connection: PooledConnection) => Lease;
  readonly count: () => number;
}

/** Thrown in place of opening one connection more. */
export class ConnectionsInUseError extends Error {
  readonly limit: number;

  constructor(limit: number) {
    super(`all ${limit} connections are in use`);
    this.limit = limit;
  }
}

/** Makes a pool; the limits are read each time, since they may change. */
export function createConnectionPool(toLimits: () => ConnectionLimits): ConnectionPool {
  // Insertion order is order of last use: a connection that is used is taken out and put back at the end.
  const open = new Set<PooledConnection>();

  function evictIdle(among: readonly PooledConnection[], limit: number): void {
    for (let excess = among.length - limit + 1; excess > 0; excess -= 1) {
      const idle = among.find((one) => open.has(one) && !one.isBusy());
      if (idle === undefined) throw new ConnectionsInUseError(limit);
      open.delete(idle);
      idle.close();
    }
  }

  return {
    count: () => open.size,
    lease: (connection) => {
      const { inAll, perOwner } = toLimits();
      const own = [...open].filter(({ owner }) => owner === connection.owner);
      evictIdle(own, perOwner);
      evictIdle([...open], inAll);
      open.add(connection);
      return {
        touch: () => {
          if (open.delete(connection)) open.add(connection);
        },
        release: () => void open.delete(connection),
      };
    },
  };
}
