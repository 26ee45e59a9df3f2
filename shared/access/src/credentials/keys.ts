import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { type AccessScope, accessScopes, type Principal } from '../principal/principal.ts';
import { createKeyFileSource, type KeySource } from './key-source.ts';
import type { StoredKey } from './stored-key.ts';

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
  /** Awaited before keys decide about a request: what was changed on another machine counts then. */
  readonly refresh: () => Promise<void>;
  /** Whether callers need a key: from the first one on, also when the last is revoked. */
  readonly isAuthRequired: () => boolean;
  /** The key with this text, if it is known, not expired, and for this server. */
  readonly find: (text: string, server: string) => StoredKey | undefined;
  /** The key whose text has this hash, likewise. */
  readonly findByHash: (hash: string, server: string) => StoredKey | undefined;
}

/** What keys are read from; without a database it is the file. */
export interface KeyringOptions {
  readonly file: string;
  readonly database?: KeySource | undefined;
  readonly clock: () => Date;
}

/** Tells which keys are good. While they cannot be read, every key is refused. */
export function createKeyring({ file, database, clock }: KeyringOptions): Keyring {
  const source = database ?? createKeyFileSource(file);
  /** Deleting the keys does not open an endpoint that is open already for keys alone. */
  let wasThere = false;
  const read = (): readonly StoredKey[] => {
    const keys = source.read();
    wasThere ||= keys !== undefined;
    return keys ?? [];
  };
  const findByHash: Keyring['findByHash'] = (text, server) => {
    const given = Buffer.from(text, 'hex');
    // All are compared, so that the time tells nothing about which came close.
    const same = read().filter(({ hash }) => timingSafeEqual(Buffer.from(hash, 'hex'), given))[0];
    if (same === undefined || isExpired(same, clock()) || same.servers?.includes(server) === false) return undefined;
    return same;
  };
  return {
    refresh: async () => source.refresh?.(),
    isAuthRequired: () => {
      read();
      return wasThere;
    },
    find: (text, server) => findByHash(hashKey(text), server),
    findByHash,
  };
}

/** Whether a key's time is over. */
export function isExpired({ expires_at }: StoredKey, now: Date): boolean {
  return expires_at !== undefined && Date.parse(expires_at) <= now.getTime();
}
