import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type BigIntStats, readFileSync, statSync } from 'node:fs';
import { ContextloomError, toInvalidError } from '@contextloom/contracts';
import { requireOwnWriting, toFileError } from '@contextloom/runtime';
import { z } from 'zod';
import { type AccessScope, accessScopes, type Principal } from '../principal/principal.ts';

const ids = z.array(z.string().min(1).max(256)).readonly();

/** One key as the file holds it. */
const keySchema = z.object({
  name: z.string(),
  /** SHA-256 of the key, hexadecimal. */
  hash: z.string().regex(/^[\da-f]{64}$/),
  /** Ids that it reaches; all without the field. */
  users: ids.optional(),
  projects: ids.optional(),
  scopes: z.array(z.enum(accessScopes)).readonly(),
  /** The servers that take it; all without the field. */
  servers: ids.optional(),
  created_at: z.string(),
  expires_at: z.string().optional(),
});

/** The file of keys. */
export const keyFileSchema = z.object({ version: z.literal(1), keys: z.array(keySchema) });

/** One key as the file holds it: never the key itself. */
export type StoredKey = Readonly<z.output<typeof keySchema>>;

/** What a key looks like: its prefix is for secret scanners and for people. */
const KEY_PREFIX = 'clk_';

/** Makes a key of 256 random bits. */
export function createKey(): string {
  return `${KEY_PREFIX}${randomBytes(32).toString('base64url')}`;
}

/**
 * The hash under which a key is stored. A slow hash defends guessable secrets; 256 random bits cannot be guessed, and a slow
 * hash at every request would let anybody keep the server busy. Source: NIST SP 800-63B, section 5.1.1.2 and OWASP on API keys.
 */
export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/**
 * Reads a file of keys.
 * @throws ContextloomError `invalid` for a file that holds something else
 */
export function parseKeyFile(text: string, file: string): readonly StoredKey[] {
  const parsed = keyFileSchema.safeParse(readJson(text, file));
  if (!parsed.success) throw toInvalidError(parsed.error, [file]);
  return parsed.data.keys;
}

function readJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ContextloomError('invalid', `${file} must be the JSON that "contextloom keys" writes`, { cause });
  }
}

/** admin may write, and who may write may read. */
const implied: Readonly<Record<AccessScope, readonly AccessScope[]>> = {
  read: ['read'],
  write: ['read', 'write'],
  admin: accessScopes,
};

/** The scopes that come with those that were given. */
export function withImplied(scopes: readonly AccessScope[]): readonly AccessScope[] {
  const all = new Set(scopes.flatMap((scope) => implied[scope]));
  return accessScopes.filter((scope) => all.has(scope));
}

/** Who calls with a key. */
export function toKeyPrincipal({ name, users, projects, scopes }: StoredKey): Principal {
  // A key for users alone reaches no project, and the other way round.
  const isOpen = users === undefined && projects === undefined;
  return {
    name: `key ${name}`,
    users: users ?? (isOpen ? 'all' : []),
    projects: projects ?? (isOpen ? 'all' : []),
    scopes: withImplied(scopes),
  };
}

/** The keys of an installation, as they are now. */
export interface Keyring {
  /** Whether callers need a key: from the first one on, also when the last is revoked. */
  readonly isAsked: () => boolean;
  /** The key with this text, if it is known, not expired, and for this server. */
  readonly find: (text: string, server: string) => StoredKey | undefined;
  /** The key whose text has this hash, likewise. */
  readonly findByHash: (hash: string, server: string) => StoredKey | undefined;
}

/** Of the file that a link leads to; another mode makes another stamp. */
const stampOf = ({ mtimeNs, ctimeNs, size, ino }: BigIntStats): string => `${mtimeNs} ${ctimeNs} ${size} ${ino}`;

/** Reads the file of keys again whenever it changes. While the file cannot be read, every key is refused. */
export function createKeyring({ file, clock }: { readonly file: string; readonly clock: () => Date }): Keyring {
  let stamp = '';
  let keys: readonly StoredKey[] = [];
  /** Deleting the file does not open a door that is open already for keys alone. */
  let wasThere = false;
  const read = (): readonly StoredKey[] => {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    const now = stats === undefined ? 'absent' : stampOf(stats);
    if (now === stamp) return keys;
    wasThere ||= stats !== undefined;
    keys = stats === undefined ? [] : readKeyFile(file, Number(stats.mode));
    stamp = now;
    return keys;
  };
  const findByHash: Keyring['findByHash'] = (text, server) => {
    const given = Buffer.from(text, 'hex');
    // All are compared, so that the time tells nothing about which came close.
    const same = read().filter(({ hash }) => timingSafeEqual(Buffer.from(hash, 'hex'), given))[0];
    if (same === undefined || isExpired(same, clock()) || same.servers?.includes(server) === false) return undefined;
    return same;
  };
  return {
    isAsked: () => {
      read();
      return wasThere;
    },
    find: (text, server) => findByHash(hashKey(text), server),
    findByHash,
  };
}

/** A caller is not told what is wrong with the file, and where it lies. */
function readKeyFile(file: string, mode: number): readonly StoredKey[] {
  try {
    requireOwnWriting(file, mode);
    return parseKeyFile(readFileSync(file, 'utf8'), file);
  } catch (error) {
    const cause = toFileError(error, file, 'read');
    throw new ContextloomError('unavailable', 'the keys of this server cannot be read; its log says why', { cause });
  }
}

/** Whether a key's time is over. */
export function isExpired({ expires_at }: StoredKey, now: Date): boolean {
  return expires_at !== undefined && Date.parse(expires_at) <= now.getTime();
}
