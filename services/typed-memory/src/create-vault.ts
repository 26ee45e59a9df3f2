import { createHmac, hkdfSync } from 'node:crypto';
import { ContextloomError } from '@contextloom/contracts';
import { createSealer, SECRET_KEY_BYTES } from '@contextloom/runtime';
import type { Vault } from './domain/vault/vault.ts';

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
