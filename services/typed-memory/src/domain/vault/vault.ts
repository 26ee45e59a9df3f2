import { ContextloomError } from '@contextloom/contracts';

/** What a ciphertext is bound to: moved to another item or user it does not open. */
interface VaultPlace {
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

/** The vault, opened for sealing. */
export interface OpenedVault {
  readonly vault: Vault;
  /** Where its key lies, if it was made by this call: people have to know. */
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
