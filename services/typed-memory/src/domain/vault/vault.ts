import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { ContextloomError } from '@contextloom/contracts';

/** Bytes of a key: AES-256. */
export const VAULT_KEY_BYTES = 32;
/** As NIST SP 800-38D advises for GCM. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
const FORM = 'v1';

/** What a ciphertext is bound to: moved to another item or user it does not open. */
export interface VaultPlace {
  readonly userId: string;
  readonly id: string;
}

/** Seals secrets with one key, and opens them with it or an older one. */
export interface Vault {
  /** The id of a secret in a context: the same for the same, and without the key no guess can be tried against it. */
  readonly idOf: (userId: string, secret: string, context: string) => string;
  readonly seal: (secret: string, place: VaultPlace) => string;
  /** @throws ContextloomError `forbidden` when no key opens it */
  readonly open: (sealed: string, place: VaultPlace) => string;
  /** Whether a ciphertext is of the present key. */
  readonly isCurrent: (sealed: string) => boolean;
}

/** Names a key without telling anything of it. */
const toKeyId = (key: Buffer): string =>
  createHash('sha256').update('contextloom vault key\0').update(key).digest('hex').slice(0, 12);

const toAssociatedData = ({ userId, id }: VaultPlace): Buffer => Buffer.from(`${FORM}\0${userId}\0${id}`);

const wrongKey = (cause?: unknown): ContextloomError =>
  new ContextloomError(
    'forbidden',
    'the vault key does not open this item: set MEMORY_VAULT_KEY to the key that sealed it, or give that key as MEMORY_VAULT_OLD_KEY; nothing was changed',
    { cause },
  );

function decrypt(key: Buffer, bytes: Buffer, place: VaultPlace): string {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(toAssociatedData(place));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
}

/** Builds a vault over AES-256-GCM. A sealed text is `v1.<key id>.<base64url of iv, tag and ciphertext>`. */
export function createVault(key: Buffer, oldKey?: Buffer): Vault {
  const current = toKeyId(key);
  const keys = new Map([
    ...(oldKey === undefined ? [] : [[toKeyId(oldKey), oldKey] as const]),
    [current, key] as const,
  ]);
  // A key of its own, so that none is used for two things.
  const idKey = Buffer.from(hkdfSync('sha256', key, '', 'contextloom vault ids', VAULT_KEY_BYTES));
  return {
    idOf: (userId, secret, context) => {
      const text = JSON.stringify([userId, secret, context]);
      return `mem-${createHmac('sha256', idKey).update(text).digest('hex').slice(0, 32)}`;
    },
    seal: (secret, place) => {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
      cipher.setAAD(toAssociatedData(place));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return `${FORM}.${current}.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')}`;
    },
    open: (sealed, place) => {
      const [form, keyId = '', data = ''] = sealed.split('.');
      const own = form === FORM ? keys.get(keyId) : undefined;
      if (own === undefined) throw wrongKey();
      try {
        return decrypt(own, Buffer.from(data, 'base64url'), place);
      } catch (cause) {
        // The right key, and still it does not open: bytes were changed, or belong to another item.
        throw wrongKey(cause);
      }
    },
    isCurrent: (sealed) => sealed.startsWith(`${FORM}.${current}.`),
  };
}

/**
 * Reads a key of 32 bytes, base64.
 * @throws ContextloomError `invalid`, naming the setting, never the value
 */
export function parseVaultKey(text: string, setting: string): Buffer {
  const trimmed = text.trim();
  const key = Buffer.from(trimmed, 'base64');
  const isBase64 = /^[A-Za-z0-9+/_-]{43}=?$/u.test(trimmed);
  if (isBase64 && key.length === VAULT_KEY_BYTES) return key;
  const message = `${setting} must be ${VAULT_KEY_BYTES} bytes in base64, as "openssl rand -base64 32" makes them`;
  throw new ContextloomError('invalid', message, { field: setting });
}
