import type { Log } from '@contextloom/runtime';
import type pg from 'pg';

/** Counts and times are `bigint`, and far below what a number holds exactly. */
const INT8 = 20;
const CONNECTIONS = 4;
const WAIT_MS = 10_000;

/** Which database, and under which name its server lists the connections. */
export interface PoolOptions {
  readonly url: string;
  readonly application: string;
  readonly log: Log;
  /** Most connections at once; 4 by default. */
  readonly connections?: number;
}

/** Opens a pool of connections; nothing is sent before the first statement. */
export async function openPool({ url, application, log, connections = CONNECTIONS }: PoolOptions): Promise<pg.Pool> {
  // Only those who use it pay for loading it.
  const { default: postgres } = await import('pg');
  const { types } = postgres;
  const pool = new postgres.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: WAIT_MS,
    application_name: application,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  });
  // A connection that breaks while idle is no one's call.
  pool.on('error', (cause) => log.warn({ cause }, 'a connection to the database was lost'));
  // One that breaks in somebody's hands, or before it gets there, refuses its statements and is not given to the next; it emits an error as
  // well, and an error without a listener ends the process.
  pool.on('connect', (client) => client.on('error', (cause) => log.debug({ cause }, 'a connection broke in use')));
  return pool;
}
