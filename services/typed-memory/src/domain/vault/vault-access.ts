import { ContextloomError } from '@contextloom/contracts';
import type { Vault } from './vault.ts';

/** The vault, opened for sealing. */
export interface OpenedVault {
  readonly vault: Vault;
  /** Where its key lies, if it was made by this call: people have to be told of it. */
  readonly madeAt?: string | undefined;
}

/** The way to the vault, whose key may still have to be made. All methods reject with `ContextloomError` for a key that cannot be used. */
export interface VaultAccess {
  /** The vault; undefined while there is no key. */
  readonly find: () => Promise<Vault | undefined>;
  /** The vault, with a new key if there is none yet. */
  readonly open: () => Promise<OpenedVault>;
}

/** Says what to do where something is sealed, and there is no key at all. */
export function noKey(): ContextloomError {
  const message =
    'the vault has items, and the key that sealed them is not here: put its file back (node services/typed-memory/dist/server.js --check says where it is looked for), or set MEMORY_VAULT_KEY to it; nothing was changed';
  return new ContextloomError('forbidden', message, { field: 'MEMORY_VAULT_KEY' });
}

/** What people have to know of a key that was made for them. */
export const toKeyNotice = (path: string): string =>
  `A key was made for the vault, in ${path}. Keep a copy of this file apart from the memories and their backups: without it no secret of the vault can ever be read again.`;
