import { readFile, stat } from 'node:fs/promises';
import { ContextloomError } from '@contextloom/contracts';
import type { Config } from './config.ts';
import { createVault, parseVaultKey, type Vault } from './domain/vault.ts';

const FILE = 'MEMORY_VAULT_KEY_FILE';

/** A key that others on the machine can read is no secret. Windows has no such modes. */
async function readKeyFile(path: string): Promise<string> {
  try {
    const { mode } = await stat(path);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
      throw new ContextloomError('invalid', `${FILE} must be readable by its owner alone: chmod 600`, { field: FILE });
    }
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof ContextloomError) throw cause;
    throw new ContextloomError('invalid', `${FILE} cannot be read`, { field: FILE, cause });
  }
}

/**
 * Opens the vault that the settings name; undefined when they name none.
 * @throws ContextloomError `invalid` for a key that is none, or a file that others can read
 */
export async function openVault(
  config: Pick<Config, 'vaultKey' | 'vaultKeyFile' | 'vaultOldKey'>,
): Promise<Vault | undefined> {
  const { vaultKey, vaultKeyFile, vaultOldKey } = config;
  if (vaultKey !== undefined && vaultKeyFile !== undefined) {
    throw new ContextloomError('invalid', `${FILE} and MEMORY_VAULT_KEY cannot both be set`, { field: FILE });
  }
  const text = vaultKeyFile === undefined ? vaultKey : await readKeyFile(vaultKeyFile);
  if (text === undefined) return undefined;
  const key = parseVaultKey(text, vaultKeyFile === undefined ? 'MEMORY_VAULT_KEY' : FILE);
  return createVault(key, vaultOldKey === undefined ? undefined : parseVaultKey(vaultOldKey, 'MEMORY_VAULT_OLD_KEY'));
}
