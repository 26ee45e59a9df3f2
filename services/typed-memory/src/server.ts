import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { ContextloomError } from '@contextloom/contracts';
import { runServer } from '@contextloom/mcp-kit';
import { assemble } from './assemble.ts';
import { createTypedMemoryServer } from './build-server.ts';
import { checkTypedMemory } from './checks.ts';
import { type Config, flags, settings } from './config.ts';
import { rotateVault } from './domain/rotate-vault.ts';
import type { TypedMemoryStore } from './domain/typed-memory-store.ts';
import type { Vault } from './domain/vault.ts';
import { openStore } from './open-store.ts';
import { openVault } from './open-vault.ts';
import { version } from './version.ts';

const now = (): Date => new Date();

async function rotateAndEnd(config: Config, store: TypedMemoryStore, vault: Vault | undefined): Promise<never> {
  if (vault === undefined || config.vaultOldKey === undefined) {
    const message = '--rotate-vault-key needs the new key in MEMORY_VAULT_KEY and the old one in MEMORY_VAULT_OLD_KEY';
    throw new ContextloomError('invalid', message);
  }
  const rotation = await rotateVault(config.userId, { store, vault }).finally(() => store.close());
  process.stdout.write(`${JSON.stringify({ user_id: config.userId, ...rotation }, null, 2)}\n`);
  process.exit(rotation.left.length === 0 ? 0 : 1);
}

await runServer({
  process,
  name: 'typed-memory',
  version,
  summary: 'Contextloom typed memory: six kinds of memory behind four tools, and a chat that remembers.',
  settings,
  flags,
  build: async ({ config: given, flags: flagged, log }) => {
    const config = { ...given, configFile: String(flagged['config'] ?? given.configFile) };
    const vault = await openVault(config);
    const store = openStore({ config, env: process.env, log, now });
    if (flagged['rotate-vault-key'] === true) return rotateAndEnd(config, store, vault);
    const memory = await assemble({ config, store, vault, now, newId: randomUUID, log });
    const { searchLimit, userId, httpToken: token } = config;
    const built = createTypedMemoryServer({ memory, backend: store.backend, searchLimit, userId, token, version, log });
    return { ...built, close: () => store.close() };
  },
  checks: ({ config, flags: given, log }) =>
    checkTypedMemory({
      config: { ...config, configFile: String(given['config'] ?? config.configFile) },
      ...{ env: process.env, log, now },
    }),
});
