import { createHash } from 'node:crypto';
import { createPrepare, type Database } from '@contextloom/sqlite';
import type { Adapter, Payload } from 'oidc-provider';

/** Registered programs that nobody has let in yet: anybody may register one, so the oldest make way. */
const MAX_UNUSED_CLIENTS = 1_000;
const UNUSED_CLIENT_SECONDS = 86_400;

/** Ids of these models let nobody in; those of the others are what a caller shows. */
const openIds: ReadonlySet<string> = new Set(['Client', 'Grant']);

/** The SHA-256 of a secret of 120 random bits or more, which needs no slow hash. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** A code or refresh token that somebody else has just used. */
export class UsedTwiceError extends Error {}

interface Row {
  readonly payload: string;
  readonly consumed_at: number | null;
}

/** What the provider's models are stored with. */
export interface RecordsOptions {
  readonly database: Database;
  readonly clock: () => Date;
  /** Ends a grant with all of its tokens. */
  readonly endGrant: (id: string) => unknown;
}

const UPSERT = `
  INSERT INTO records (model, id, payload, grant_id, uid, created_at, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (model, id) DO UPDATE SET
    payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid, expires_at = excluded.expires_at`;
const CLEAR = [
  'DELETE FROM records WHERE expires_at < :now',
  "DELETE FROM connections WHERE id NOT IN (SELECT id FROM records WHERE model = 'Grant')",
  `DELETE FROM records WHERE model = 'Client' AND id NOT IN (SELECT client_id FROM connections) AND (
     created_at < :now - ${UNUSED_CLIENT_SECONDS} OR id NOT IN (
       SELECT id FROM records WHERE model = 'Client' ORDER BY rowid DESC LIMIT ${MAX_UNUSED_CLIENTS}))`,
];
const CONSUME = 'UPDATE records SET consumed_at = ? WHERE model = ? AND id = ? AND consumed_at IS NULL';

const toKey = (model: string, id: string): string => (openIds.has(model) ? id : hashSecret(id));

function toText({ jti: _id, client_secret: secret, ...payload }: Payload): string {
  return JSON.stringify({ ...payload, ...(typeof secret === 'string' && { client_secret: hashSecret(secret) }) });
}

function toPayload(row: Row | undefined, id: object = {}): Payload | undefined {
  if (row === undefined) return undefined;
  const { payload, consumed_at: consumed } = row;
  return { ...(JSON.parse(payload) as Payload), ...id, ...(consumed !== null && { consumed }) };
}

/** Stores the provider's models: by the hash of what lets somebody in, and without what is hashed. */
export function createRecords({ database, clock, endGrant }: RecordsOptions): (model: string) => Adapter {
  const prepare = createPrepare(database);
  const now = (): number => Math.floor(clock().getTime() / 1_000);
  const find = (by: 'id' | 'uid', model: string, value: string): Row | undefined =>
    prepare<Row>(`SELECT payload, consumed_at FROM records WHERE model = ? AND ${by} = ?`).get(model, value);
  const upsert = database.transaction((model: string, id: string, payload: Payload, expiresIn?: number): void => {
    const { grantId = null, uid = null } = payload;
    const end = expiresIn === undefined ? null : now() + expiresIn;
    prepare(UPSERT).run(model, toKey(model, id), toText(payload), grantId, uid, now(), end);
    for (const sql of CLEAR) prepare(sql).run({ now: now() });
  });
  /** Of two that show the same code or refresh token at once, one wins; the other ends the connection, as a thief's would. */
  const consume = (model: string, key: string): void => {
    if (prepare(CONSUME).run(now(), model, key).changes > 0) return;
    const sql = 'SELECT grant_id FROM records WHERE model = ? AND id = ?';
    const found = prepare<{ readonly grant_id: string | null }>(sql).get(model, key);
    if (found?.grant_id) endGrant(found.grant_id);
    throw new UsedTwiceError();
  };
  return (model) => ({
    upsert: async (id, payload, expiresIn) => upsert.immediate(model, id, payload, expiresIn),
    find: async (id) => toPayload(find('id', model, toKey(model, id)), model === 'Client' ? {} : { jti: id }),
    findByUid: async (uid) => toPayload(find('uid', model, uid)),
    findByUserCode: async () => undefined,
    consume: async (id) => consume(model, toKey(model, id)),
    destroy: async (id) => {
      if (model === 'Grant') endGrant(id);
      else prepare('DELETE FROM records WHERE model = ? AND id = ?').run(model, toKey(model, id));
    },
    revokeByGrantId: async (grantId) => {
      prepare('DELETE FROM records WHERE model = ? AND grant_id = ?').run(model, grantId);
    },
  });
}
