import { createHash } from 'node:crypto';
import type { Adapter, Payload } from 'oidc-provider';
import type { ConnectionRows, Statement } from './connection-rows.ts';

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
  readonly rows: ConnectionRows;
  readonly clock: () => Date;
  /** Ends a grant with all of its tokens. */
  readonly endGrant: (id: string) => Promise<unknown>;
}

const UPSERT = `
  INSERT INTO records (model, id, payload, grant_id, uid, created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7)
  ON CONFLICT (model, id) DO UPDATE SET
    payload = excluded.payload, grant_id = excluded.grant_id, uid = excluded.uid, expires_at = excluded.expires_at`;
const CONSUME = `UPDATE records SET consumed_at = $1
  WHERE model = $2 AND id = $3 AND consumed_at IS NULL RETURNING id`;

/** What goes whenever something comes. */
const toClear = (order: ConnectionRows['order'], now: number): readonly Statement[] => [
  ['DELETE FROM records WHERE expires_at < $1', now],
  ["DELETE FROM connections WHERE id NOT IN (SELECT id FROM records WHERE model = 'Grant')"],
  [
    `DELETE FROM records WHERE model = 'Client' AND id NOT IN (SELECT client_id FROM connections) AND (
       created_at < $1 OR id NOT IN (
         SELECT id FROM records WHERE model = 'Client' ORDER BY ${order} DESC LIMIT ${MAX_UNUSED_CLIENTS}))`,
    now - UNUSED_CLIENT_SECONDS,
  ],
];

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
export function createRecords({ rows, clock, endGrant }: RecordsOptions): (model: string) => Adapter {
  const now = (): number => Math.floor(clock().getTime() / 1_000);
  const find = async (by: 'id' | 'uid', model: string, value: string): Promise<Row | undefined> => {
    const sql = `SELECT payload, consumed_at FROM records WHERE model = $1 AND ${by} = $2`;
    return (await rows.read<Row>(sql, model, value))[0];
  };
  const upsert = async (model: string, id: string, payload: Payload, expiresIn?: number): Promise<void> => {
    const { grantId = null, uid = null } = payload as { readonly grantId?: string; readonly uid?: string };
    const end = expiresIn === undefined ? null : now() + expiresIn;
    const put: Statement = [UPSERT, model, toKey(model, id), toText(payload), grantId, uid, now(), end];
    await rows.change([put, ...toClear(rows.order, now())]);
  };
  /** Of two that show the same code or refresh token at once, one wins; the other ends the connection, as a thief's would. */
  const consume = async (model: string, key: string): Promise<void> => {
    const [consumed = []] = await rows.change([[CONSUME, now(), model, key]]);
    if (consumed.length > 0) return;
    const sql = 'SELECT grant_id FROM records WHERE model = $1 AND id = $2';
    const [found] = await rows.read<{ readonly grant_id: string | null }>(sql, model, key);
    if (found?.grant_id) await endGrant(found.grant_id);
    throw new UsedTwiceError();
  };
  return (model) => ({
    upsert: (id, payload, expiresIn) => upsert(model, id, payload, expiresIn),
    find: async (id) => toPayload(await find('id', model, toKey(model, id)), model === 'Client' ? {} : { jti: id }),
    findByUid: async (uid) => toPayload(await find('uid', model, uid)),
    findByUserCode: async () => undefined,
    consume: (id) => consume(model, toKey(model, id)),
    destroy: async (id) => {
      if (model === 'Grant') await endGrant(id);
      else await rows.change([['DELETE FROM records WHERE model = $1 AND id = $2', model, toKey(model, id)]]);
    },
    revokeByGrantId: async (grantId) => {
      await rows.change([['DELETE FROM records WHERE model = $1 AND grant_id = $2', model, grantId]]);
    },
  });
}
