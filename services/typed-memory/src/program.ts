import { ContextloomError } from '@contextloom/contracts';
import type { Environment, FlagValues, Log } from '@contextloom/runtime';
import { loadLifetimes, privacySettings, type Runtime, type ServerProgram } from '@contextloom/server-kit';
import { createTypedMemoryServer } from './build-server.ts';
import { checkTypedMemory } from './checks.ts';
import { type Config, flags, readConfigFile, settings } from './config.ts';
import { rotateVault } from './domain/vault/rotate-vault.ts';
import { openStore } from './open-store.ts';
import { openTypedMemory } from './open-typed-memory.ts';
import { openVault } from './open-vault.ts';
import { version } from './version.ts';

interface RotateOptions extends Pick<Runtime, 'clock'> {
  readonly env: Environment;
  readonly log: Log;
}

async function rotate(config: Config, { env, log, clock }: RotateOptions): Promise<object> {
  const hasKey = config.vaultKey !== undefined || config.vaultKeyFile !== undefined;
  if (!hasKey || config.vaultOldKey === undefined) {
    const message = '--rotate-vault-key needs the new key in MEMORY_VAULT_KEY and the old one in MEMORY_VAULT_OLD_KEY';
    throw new ContextloomError('invalid', message);
  }
  const { vault } = await (await openVault(config, { log })).open();
  if (config.multiUser) {
    const message = '--rotate-vault-key is for one user: name them with DEFAULT_USER_ID, without --multi-user';
    throw new ContextloomError('invalid', message, { field: 'MULTI_USER' });
  }
  const store = openStore({ config, env, log, clock });
  const rotation = await rotateVault(config.userId, { store, vault }).finally(() => store.close());
  return { user_id: config.userId, ...rotation };
}

const toConfig = ({ config, flags: given }: { readonly config: Config; readonly flags: FlagValues }): Config => ({
  ...config,
  configFile: String(given['config'] ?? config.configFile),
});

const programSettings = { ...settings, ...privacySettings };

/** The typed memory as a server. */
export function createTypedMemoryProgram({ clock, newId }: Runtime): ServerProgram<typeof programSettings> {
  return {
    name: 'typed-memory',
    version,
    summary: 'Contextloom typed memory: six kinds of memory behind four tools, and a chat that remembers.',
    settings: programSettings,
    flags,
    readConfigFile,
    build: async (context) => {
      const [config, { env, log, embed }] = [toConfig(context), context];
      const vault = await openVault(config, { log });
      // The rules of the store that the memories are in.
      const toLifetime = await loadLifetimes(context.config, 'knowledge-base');
      const store = openStore({ config, env, log, clock, embed, toLifetime });
      const memory = await openTypedMemory({ config, store, vault, clock, newId, log });
      const { searchLimit, multiUser, httpToken: token } = config;
      const built = createTypedMemoryServer({
        memory,
        backend: store.backend,
        searchLimit,
        userId: multiUser ? undefined : config.userId,
        token,
        version,
        log,
      });
      return { ...built, close: () => store.close() };
    },
    jobs: { 'rotate-vault-key': (context) => rotate(toConfig(context), { ...context, clock }) },
    checks: (context) => checkTypedMemory({ ...context, config: toConfig(context), clock }),
  };
}
