import { createHmac, hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import {
  createSealer,
  type Log,
  makeSecretKeyFile,
  parseSecretKey,
  readSecretKeyFile,
  SECRET_KEY_BYTES,
  userFolders,
} from '@contextloom/runtime';
import type { Config } from './config.ts';
import { toKeyNotice, type Vault, type VaultAccess } from './domain/vault/vault.ts';

const toWrongKey = (cause?: unknown): ContextloomError =>
  new ContextloomError(
    'forbidden',
    'the vault key does not open this item: set MEMORY_VAULT_KEY to the key that sealed it, or give that key as MEMORY_VAULT_OLD_KEY; nothing was changed',
    { cause },
  );

/** Builds a vault over a sealer. */
export function createVault(key: Buffer, oldKey?: Buffer): Vault {
  // A key of its own, so that none is used for two things.
  const idKey = Buffer.from(hkdfSync('sha256', key, '', 'contextloom vault ids', SECRET_KEY_BYTES));
  return {
    ...createSealer({ key, oldKey, toWrongKey }),
    idOf: (userId, secret, context) => {
      const text = JSON.stringify([userId, secret, context]);
      return `mem-${createHmac('sha256', idKey).update(text).digest('hex').slice(0, 32)}`;
    },
  };
}

/** Where the key lies that is created when none is set: apart from the data and its backups, or a copy of those would open itself. */
export const ownKeyFile = join(userFolders.config, 'typed-memory-vault.key');

/** The settings of the vault. */
export type VaultSettings = Pick<Config, 'vaultKey' | 'vaultKeyFile' | 'vaultOldKey'>;

/** What opening the vault needs besides its settings. */
export interface OpenVaultOptions {
  readonly log: Log;
  /** The file of the key that is created when none is set. */
  readonly keyFile?: string;
}

const KEY = 'MEMORY_VAULT_KEY';
const FILE = 'MEMORY_VAULT_KEY_FILE';

/** What to do where the vault cannot make a key. */
const ADVICE = {
  field: KEY,
  advice: `set ${KEY} (32 bytes, base64, as "openssl rand -base64 32" makes them) or ${FILE}`,
};

function readSetKey({ vaultKey, vaultKeyFile }: VaultSettings): Buffer | undefined {
  if (vaultKey !== undefined && vaultKeyFile !== undefined) {
    throw new ContextloomError('invalid', `${FILE} and ${KEY} cannot both be set`, { field: FILE });
  }
  if (vaultKeyFile === undefined) return vaultKey === undefined ? undefined : parseSecretKey(vaultKey, KEY);
  const key = readSecretKeyFile({ path: vaultKeyFile, name: FILE });
  if (key === undefined) throw new ContextloomError('invalid', `${FILE} cannot be read`, { field: FILE });
  return key;
}

/**
 * Opens the way to the vault: by the key that the settings give, else by one of its own, which is made when the first secret is
 * sealed.
 * @throws ContextloomError `invalid` for a malformed key, or a file that others can read
 */
export async function openVault(
  settings: VaultSettings,
  { log, keyFile = ownKeyFile }: OpenVaultOptions,
): Promise<VaultAccess> {
  const { vaultOldKey } = settings;
  const oldKey = vaultOldKey === undefined ? undefined : parseSecretKey(vaultOldKey, 'MEMORY_VAULT_OLD_KEY');
  const set = readSetKey(settings);
  if (set !== undefined) {
    const vault = createVault(set, oldKey);
    return { find: async () => vault, open: async () => ({ vault }) };
  }
  let kept: Vault | undefined;
  const find = async (): Promise<Vault | undefined> => {
    if (kept !== undefined) return kept;
    const key = readSecretKeyFile({ path: keyFile, name: keyFile });
    if (key !== undefined) kept = createVault(key, oldKey);
    return kept;
  };
  const open: VaultAccess['open'] = async () => {
    const found = await find();
    if (found !== undefined) return { vault: found };
    const isMade = await makeSecretKeyFile(keyFile, ADVICE);
    const vault = await find();
    if (vault === undefined) throw new ContextloomError('unavailable', `${keyFile} was removed as it was made`);
    if (isMade) log.warn({ file: keyFile }, toKeyNotice(keyFile));
    return { vault, madeAt: isMade ? keyFile : undefined };
  };
  return { find, open };
}
