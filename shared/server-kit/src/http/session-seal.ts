import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { z } from 'zod';

/** What a session began with: all that another replica needs to go on with it. */
export interface SealedSession {
  /** Of its `initialize` request. */
  readonly params: Readonly<Record<string, unknown>>;
  /** When it began, in milliseconds since 1970. */
  readonly begunAt: number;
}

/** Makes ids of sessions that say what the sessions began with, to nobody without the secret. */
export interface SessionSeal {
  /** An id for a session of this owner that begins now; undefined for one that says too much to stand in a header. */
  readonly seal: (params: SealedSession['params'], owner: string) => string | undefined;
  /** What an id says; undefined for one that was altered, that is of another owner, or that is too old. */
  readonly open: (id: string, owner: string) => SealedSession | undefined;
}

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Node takes 16 KiB of headers in all. */
const MAX_ID_LENGTH = 4_096;
/** A client begins again then, as with a session that made room for another. */
const LIFETIME_MS = 7 * 86_400_000;

const schema = z.object({ params: z.record(z.string(), z.unknown()), begunAt: z.number() });

/** Builds the seal of all replicas that know one secret. */
export function createSessionSeal(secret: string, clock: () => number = Date.now): SessionSeal {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'contextloom sessions', 32));
  return {
    seal: (params, owner) => {
      const session: SealedSession = { params, begunAt: clock() };
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(owner));
      const text = Buffer.concat([cipher.update(JSON.stringify(session), 'utf8'), cipher.final()]);
      const id = Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64url');
      return id.length > MAX_ID_LENGTH ? undefined : id;
    },
    open: (id, owner) => {
      const bytes = Buffer.from(id, 'base64url');
      // Of several texts that decode to the same bytes one alone is the id.
      if (bytes.length <= NONCE_BYTES + TAG_BYTES || bytes.toString('base64url') !== id) return undefined;
      try {
        const cipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE_BYTES)).setAAD(Buffer.from(owner));
        cipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
        const text = Buffer.concat([cipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), cipher.final()]);
        const session = schema.parse(JSON.parse(text.toString()));
        const age = clock() - session.begunAt;
        return age > LIFETIME_MS ? undefined : session;
      } catch {
        return undefined; // Altered, or sealed by another secret or for another owner.
      }
    },
  };
}
