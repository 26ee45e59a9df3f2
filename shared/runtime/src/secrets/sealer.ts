import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { ContextloomError } from '@contextloom/contracts';

/** Bytes of a key: AES-256. */
export const SECRET_KEY_BYTES = 32;
/** As NIST SP 800-38D advises for GCM. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
const FORM = 'v1';

/** What a ciphertext is bound to: moved to another place it does not open. */
export interface SealedPlace {
  readonly userId: string;
  readonly id: string;
}

/** Seals texts with one key, and opens them with it or an older one. */
export interface Sealer {
  readonly seal: (text: string, place: SealedPlace) => string;
  /** @throws the error of `toWrongKey` when no key opens it, or it was changed */
  readonly open: (sealed: string, place: SealedPlace) => string;
  /** Whether a ciphertext is of the present key. */
  readonly isCurrent: (sealed: string) => boolean;
}

/** What a sealer is made from. */
export interface SealerOptions {
  readonly key: Buffer;
  readonly oldKey?: Buffer | undefined;
  /** Says what to do where nothing opens a text. */
  readonly toWrongKey: (cause?: unknown) => ContextloomError;
}

/** Names a key without telling anything of it. The text is that of the first user of this form, and part of stored data. */
const toKeyId = (key: Buffer): string =>
  createHash('sha256').update('contextloom vault key\0').update(key).digest('hex').slice(0, 12);

const toAssociatedData = ({ userId, id }: SealedPlace): Buffer => Buffer.from(`${FORM}\0${userId}\0${id}`);

function decrypt(key: Buffer, bytes: Buffer, place: SealedPlace): string {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(toAssociatedData(place));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
}

/** Builds a sealer over AES-256-GCM. A sealed text is `v1.<key id>.<base64url of iv, tag and ciphertext>`. */
export function createSealer({ key, oldKey, toWrongKey }: SealerOptions): Sealer {
  const current = toKeyId(key);
  const keys = new Map([
    ...(oldKey === undefined ? [] : [[toKeyId(oldKey), oldKey] as const]),
    [current, key] as const,
  ]);
  return {
    seal: (text, place) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(toAssociatedData(place));
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return `${FORM}.${current}.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
    },
    open: (sealed, place) => {
      const [form, keyId = '', data = ''] = sealed.split('.');
      const own = form === FORM ? keys.get(keyId) : undefined;
      if (own === undefined) throw toWrongKey();
      try {
        return decrypt(own, Buffer.from(data, 'base64url'), place);
      } catch (cause) {
        // The right key, and still it does not open: bytes were changed, or belong to another place.
        throw toWrongKey(cause);
      }
    },
    isCurrent: (sealed) => sealed.startsWith(`${FORM}.${current}.`),
  };
}

/**
 * Reads a key of 32 bytes, base64.
 * @throws ContextloomError `invalid`, naming the setting, never the value
 */
export function parseSecretKey(text: string, setting: string): Buffer {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, 'base64');
  const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/u.test(trimmed);
  if (isBase64 && key.length === SECRET_KEY_BYTES) return key;
  const message = `${setting} must be ${SECRET_KEY_BYTES} bytes in base64, as "openssl rand -base64 32" makes them`;
  throw new ContextloomError('invalid', message, { field: setting });
}
