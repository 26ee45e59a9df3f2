import { dirname, join } from 'node:path';
import type { Adapter } from 'oidc-provider';
import type { AccessDatabase } from '../database/access-database.ts';
import type { AccessScope } from '../principal/principal.ts';
import { openConnectionFile, takeConnectionFile } from './connection-rows.ts';
import { createRecords } from './records.ts';

/** A program that was let in to one person's memory: what it says of itself, and what it may do. */
export interface Connection {
  readonly id: string;
  readonly client_id: string;
  /** As the program names itself. */
  readonly client_name: string;
  /** Where the person was sent back to after letting it in. */
  readonly redirect_host: string;
  readonly user_id: string;
  /** The key that the person signed in with. */
  readonly key_name: string;
  readonly scopes: readonly AccessScope[];
  readonly created_at: string;
}

/** A connection as it is stored: with the hash of the key, whose end is its end. */
export interface StoredConnection extends Connection {
  readonly key_hash: string;
}

/** The authorization server's data, next to the keys: what would let anybody in is stored as a hash. */
export interface ConnectionStore {
  /** What the provider keeps of one of its models. */
  readonly toAdapter: (model: string) => Adapter;
  readonly add: (connection: StoredConnection) => Promise<void>;
  readonly find: (id: string) => Promise<StoredConnection | undefined>;
  readonly list: () => Promise<readonly Connection[]>;
  /** Ends a connection with all of its tokens; whether there was one. */
  readonly revoke: (id: string) => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** What opening it needs. */
export interface ConnectionStoreOptions {
  readonly keysFile: string;
  /** Where they are instead of the file next to the keys, for servers on several machines; it stays open. */
  readonly database?: AccessDatabase | undefined;
  readonly clock: () => Date;
}

type ConnectionRow = Omit<StoredConnection, 'scopes'> & { readonly scopes: string };

const COLUMNS = [
  'id',
  'client_id',
  'client_name',
  'redirect_host',
  'user_id',
  'key_name',
  'key_hash',
  'scopes',
  'created_at',
] as const satisfies readonly (keyof StoredConnection)[];
const INSERT = `INSERT INTO connections (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map((_, at) => `$${at + 1}`).join(', ')})`;

const toConnection = (row: ConnectionRow): StoredConnection => ({
  ...row,
  scopes: row.scopes.split(' ') as readonly AccessScope[],
});

function withoutHash({ key_hash: _hash, ...connection }: StoredConnection): Connection {
  return connection;
}

/**
 * Opens the connections: those of the database, which takes over those of the file, or the file, which several processes may have open.
 * @throws ContextloomError `unavailable` where they cannot be opened
 */
export async function openConnectionStore({
  keysFile,
  database,
  clock,
}: ConnectionStoreOptions): Promise<ConnectionStore> {
  const file = join(dirname(keysFile), 'connections.db');
  const rows = database === undefined ? openConnectionFile(file) : await takeConnectionFile(file, database);
  const revoke = async (id: string): Promise<boolean> => {
    const answers = await rows.change([
      ['DELETE FROM records WHERE grant_id = $1', id],
      ["DELETE FROM records WHERE model = 'Grant' AND id = $1", id],
      ['DELETE FROM connections WHERE id = $1 RETURNING id', id],
    ]);
    return (answers.at(-1) ?? []).length > 0;
  };
  return {
    toAdapter: createRecords({ rows, clock, endGrant: revoke }),
    add: async ({ scopes, ...connection }) => {
      const row = { ...connection, scopes: scopes.join(' ') };
      await rows.change([[INSERT, ...COLUMNS.map((name) => row[name])]]);
    },
    find: async (id) => {
      const [row] = await rows.read<ConnectionRow>(`SELECT ${COLUMNS.join(', ')} FROM connections WHERE id = $1`, id);
      return row && toConnection(row);
    },
    list: async () => {
      const all = `SELECT ${COLUMNS.join(', ')} FROM connections ORDER BY created_at, id`;
      return (await rows.read<ConnectionRow>(all)).map((row) => withoutHash(toConnection(row)));
    },
    revoke,
    close: rows.close,
  };
}
