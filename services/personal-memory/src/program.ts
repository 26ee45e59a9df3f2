import { ContextloomError } from '@contextloom/contracts';
import { startEmbeddingWaiting } from '@contextloom/llm';
import type { Log, SettingValues } from '@contextloom/runtime';
import { startErasing } from '@contextloom/runtime/scheduling';
import {
  type BuildContext,
  loadLifetimes,
  privacySettings,
  type Runtime,
  type ServerProgram,
} from '@contextloom/server-kit';
import { createPersonalMemoryServer } from './build-server.ts';
import { drawTrends } from './charts/draw-trends.ts';
import { checkMemory } from './checks.ts';
import { personalMemoryFlags, personalMemorySettings, readConfigFile } from './config.ts';
import { forgetAllEnded, withoutEnded } from './domain/ends/without-ended.ts';
import type { BackUpPlan, MemoryStore } from './domain/store.ts';
import { exportTo, importFrom, type JobOptions, move, restore } from './jobs.ts';
import { openPersonalMemory, toPlace, toUpkeep } from './open-personal-memory.ts';
import { version } from './version.ts';

/** How automatic backups are made. */
interface BackingUpOptions extends Omit<BackUpPlan, 'now' | 'minAgeMs'> {
  readonly store: Pick<MemoryStore, 'backUp'>;
  readonly intervalMs: number;
  readonly clock: () => Date;
  readonly log: Log;
}

/** How often to check whether a copy is due: most sessions are shorter than the interval between copies. */
const LOOK_MS = 30_000;

/** Starts automatic backups, which never keep the process alive. The function returned stops them after the copy in progress. */
function startBackingUp({ store, intervalMs, clock, log, ...plan }: BackingUpOptions): () => Promise<void> {
  let running: Promise<void> = Promise.resolve();
  const look = async (): Promise<void> => {
    try {
      const copies = await store.backUp({ ...plan, now: clock(), minAgeMs: intervalMs });
      for (const copy of copies) log.info({ copy }, 'backed up');
    } catch (cause) {
      log.error({ cause }, 'the backup failed; it will be tried again');
    }
  };
  const timer = setInterval(
    () => {
      running = running.then(look);
    },
    Math.min(LOOK_MS, intervalMs),
  );
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

const NAME = 'personal-memory';
const settings = { ...personalMemorySettings, ...privacySettings };
type Config = SettingValues<typeof settings>;

type Context = BuildContext<typeof settings>;
type Clock = Runtime['clock'];

async function open({ config, log }: Context, clock: Clock) {
  const { store, embed, place } = await openPersonalMemory(config, { log });
  const common = { store, embed, clock, zone: config.timezone, maxEvents: config.maxEvents };
  return { common, place, userId: config.multiUser ? undefined : config.userId };
}

async function withMemory(
  context: Context,
  clock: Clock,
  work: (options: JobOptions) => Promise<object>,
): Promise<object> {
  const { common, userId } = await open(context, clock);
  const store = withoutEnded(common.store, clock);
  return work({ ...common, store, userId }).finally(() => common.store.close());
}

type BackupParts = Pick<Parameters<typeof startBackingUp>[0], 'store' | 'folder' | 'clock' | 'log'>;

function beginBackups(config: Config, options: BackupParts) {
  if (!config.autoBackup) return async () => undefined;
  return startBackingUp({ ...options, intervalMs: 1_000 * config.backupInterval, keep: config.backupKeep });
}

async function build(context: Context, clock: Clock) {
  const { config, log } = context;
  const toLifetime = await loadLifetimes(config, NAME);
  const { common, place, userId } = await open(context, clock);
  const endBackups = beginBackups(config, { store: common.store, folder: place.backupFolder, clock, log });
  const endEmbedding = startEmbeddingWaiting({ embedWaiting: () => common.store.embedWaiting(), log });
  const { eraseDeleted = async () => false } = common.store;
  const alive = withoutEnded(common.store, clock);
  const endErasing = startErasing(async () => {
    await forgetAllEnded(alive, clock);
    return eraseDeleted();
  }, log);
  const { serverName: name, hasRelations } = config;
  const factory = createPersonalMemoryServer({
    ...common,
    drawTrends,
    userId,
    hasRelations,
    name,
    version,
    log,
    toLifetime,
  });
  return {
    factory,
    close: async () => {
      await Promise.all([endBackups(), endEmbedding(), endErasing()]);
      await common.store.close();
    },
  };
}

/** The personal memory as a server. */
export function createPersonalMemoryProgram({ clock }: Pick<Runtime, 'clock'>): ServerProgram<typeof settings> {
  return {
    name: NAME,
    version,
    summary: 'Contextloom personal memory: the profile of a user, the things in their life, and what happened to them.',
    settings,
    flags: personalMemoryFlags,
    readConfigFile,
    build: (context) => build(context, clock),
    jobs: {
      restore: ({ config, flags }) =>
        restore(String(flags['restore']), { ...toPlace(config), cipherKey: config.encryptionKey }, clock()),
      migrate: async ({ config, flags, log, catchInterrupt }) => {
        const onProgress = (line: string): void => log.info({}, line);
        const options = { log, signal: catchInterrupt(), onProgress };
        const { text, isInterrupted } = await move(String(flags['migrate']), config, options);
        // A person stopped it before it was done.
        if (isInterrupted) throw new ContextloomError('unavailable', text);
        return text;
      },
      export: (context) => withMemory(context, clock, (options) => exportTo(String(context.flags['export']), options)),
      import: (context) =>
        withMemory(context, clock, (options) => importFrom(String(context.flags['import']), options)),
    },
    stores: ({ config }) => [toUpkeep(config)],
    checks: ({ config, log }) => checkMemory(config, log),
  };
}
