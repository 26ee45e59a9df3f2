#!/usr/bin/env node
import process from 'node:process';
import { type BuildContext, runServer, type SettingValues } from '@contextloom/mcp-kit';
import { startBackingUp } from './backing-up.ts';
import { createPersonalMemoryServer } from './build-server.ts';
import { drawTrends } from './charts/draw-trends.ts';
import { checkMemory } from './checks.ts';
import { personalMemoryFlags, personalMemorySettings, readConfigFile } from './config.ts';
import { openMemory, toPlace } from './open-memory.ts';
import { exportTo, importFrom, restore } from './tasks.ts';
import { version } from './version.ts';

type Config = SettingValues<typeof personalMemorySettings>;

const clock = (): Date => new Date();

/** Writes a line and ends: what was asked for is done. */
async function end(line: string): Promise<never> {
  await new Promise((resolve) => process.stdout.write(`${line}\n`, resolve));
  process.exit(0);
}

async function open({ config, flags, log }: BuildContext<typeof personalMemorySettings>) {
  if (typeof flags['restore'] === 'string') {
    const kept = await restore(flags['restore'], { ...toPlace(config), cipherKey: config.encryptionKey }, clock());
    return end(`Restored from ${flags['restore']}. The old file is ${kept}`);
  }
  const { store, embed, place } = await openMemory(config, { log });
  const common = { store, embed, now: clock, zone: config.timezone, maxEvents: config.maxEvents };
  const userId = config.multiUser ? undefined : config.userId;
  if (typeof flags['export'] === 'string') {
    const users = await exportTo(flags['export'], { ...common, userId });
    return end(`Exported ${users} user${users === 1 ? '' : 's'} to ${flags['export']}`);
  }
  if (typeof flags['import'] === 'string') {
    const users = await importFrom(flags['import'], { ...common, userId });
    return end(`Imported ${users} user${users === 1 ? '' : 's'} from ${flags['import']}`);
  }
  return { common, place, userId };
}

function beginBackups(config: Config, options: Pick<Parameters<typeof startBackingUp>[0], 'store' | 'folder' | 'log'>) {
  if (!config.autoBackup) return async () => undefined;
  return startBackingUp({ ...options, clock, intervalMs: 1_000 * config.backupInterval, keep: config.backupKeep });
}

await runServer({
  process,
  name: 'personal-memory',
  version,
  summary: 'Contextloom personal memory: the profile of a user, the things in their life, and what happened to them.',
  settings: personalMemorySettings,
  flags: personalMemoryFlags,
  readConfigFile,
  build: async (context) => {
    const { config, log } = context;
    const { common, place, userId } = await open(context);
    const endBackups = beginBackups(config, { store: common.store, folder: place.backupFolder, log });
    const { serverName: name, hasRelations } = config;
    const factory = createPersonalMemoryServer({ ...common, drawTrends, userId, hasRelations, name, version, log });
    return {
      factory,
      close: async () => {
        await endBackups();
        await common.store.close();
      },
    };
  },
  checks: ({ config, log }) => checkMemory(config, log),
});
