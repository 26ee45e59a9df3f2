import { dirname, join } from 'node:path';
import { openDatabase } from '@contextloom/sqlite';
import type { Adapter } from 'oidc-provider';
import type { AccessScope } from '../principal/principal.ts';
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
  readonly add: (connection: StoredConnection) => void;
  readonly find: (id: string) => StoredConnection | undefined;
  readonly list: () => readonly Connection[];
  /** Ends a connection with all of its tokens; whether there was one. */
  readonly revoke: (id: string) => boolean;
  readonly close: () => void;
}

/** What opening it needs. */
export interface ConnectionStoreOptions {
  readonly keysFile: string;
  readonly clock: () => Date;
}

const SCHEMA = `
  CREATE TABLE records (
    model TEXT NOT NULL, id TEXT NOT NULL, payload TEXT NOT NULL, grant_id TEXT, uid TEXT,
    consumed_at INTEGER, created_at INTEGER NOT NULL, expires_at INTEGER,
    UNIQUE (model, id)
  );
  CREATE INDEX records_by_grant ON records (grant_id) WHERE grant_id IS NOT NULL;
  CREATE INDEX records_by_uid ON records (model, uid) WHERE uid IS NOT NULL;
  CREATE INDEX records_by_end ON records (expires_at) WHERE expires_at IS NOT NULL;
  CREATE TABLE connections (
    id TEXT PRIMARY KEY, client_id TEXT NOT NULL, client_name TEXT NOT NULL, redirect_host TEXT NOT NULL,
    user_id TEXT NOT NULL, key_name TEXT NOT NULL, key_hash TEXT NOT NULL, scopes TEXT NOT NULL, created_at TEXT NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX connections_by_client ON connections (client_id);`;

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
const INSERT = `INSERT INTO connections (${COLUMNS.join(', ')}) VALUES (${COLUMNS.map((name) => `@${name}`).join(', ')})`;

const toConnection = (row: ConnectionRow): StoredConnection => ({
  ...row,
  scopes: row.scopes.split(' ') as readonly AccessScope[],
});

function withoutHash({ key_hash: _hash, ...connection }: StoredConnection): Connection {
  return connection;
}

/**
 * Opens the file of connections, which several processes may have open.
 * @throws ContextloomError `unavailable` where it cannot be opened
 */
export function openConnectionStore({ keysFile, clock }: ConnectionStoreOptions): ConnectionStore {
  const database = openDatabase({ file: join(dirname(keysFile), 'connections.db'), migrations: [SCHEMA] });
  const revoke = database.transaction((id: string): boolean => {
    database.prepare('DELETE FROM records WHERE grant_id = ?').run(id);
    database.prepare("DELETE FROM records WHERE model = 'Grant' AND id = ?").run(id);
    return database.prepare('DELETE FROM connections WHERE id = ?').run(id).changes > 0;
  });
  const insert = database.prepare(INSERT);
  const byId = database.prepare<[string], ConnectionRow>('SELECT * FROM connections WHERE id = ?');
  const all = database.prepare<[], ConnectionRow>('SELECT * FROM connections ORDER BY created_at, id');
  return {
    toAdapter: createRecords({ database, clock, endGrant: (id) => revoke.immediate(id) }),
    add: ({ scopes, ...connection }) => void insert.run({ ...connection, scopes: scopes.join(' ') }),
    find: (id) => {
      const row = byId.get(id);
      return row && toConnection(row);
    },
    list: () => all.all().map((row) => withoutHash(toConnection(row))),
    revoke: (id) => revoke.immediate(id),
    close: () => void database.close(),
  };
}
