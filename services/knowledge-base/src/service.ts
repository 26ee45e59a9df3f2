#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { ContextloomError } from '@contextloom/contracts';
import {
  type Access,
  accessSettings,
  commonSettings,
  createLog,
  type Flag,
  type Log,
  openAccess,
  readCommand,
  runCommand,
  type SettingValues,
} from '@contextloom/mcp-kit';
import { serviceSettings } from './config.ts';
import type { KnowledgeBase } from './domain/knowledge-base.ts';
import { engineOf } from './engines/index.ts';
import { serveKnowledgeBase } from './http/serve.ts';
import { toRebuilt } from './http/service-routes.ts';
import { openLocalKnowledgeBase } from './open-local.ts';
import type { OnMismatch } from './store/fingerprint.ts';
import { version } from './version.ts';

const flags: Readonly<Record<string, Flag>> = {
  insecure: { type: 'boolean', description: 'Let others than this machine in without keys (with KB_HOST)' },
  'rebuild-index': { type: 'boolean', description: 'Rebuild the index from the stored documents, and end' },
};
const settings = { ...serviceSettings, ...commonSettings, ...accessSettings };
type Config = SettingValues<typeof settings>;

const print = (text: string): boolean => process.stdout.write(`${text}\n`);

/** What every order of the command works with, made from the settings. */
async function open(config: Config, onMismatch: OnMismatch): Promise<{ knowledgeBase: KnowledgeBase; log: Log }> {
  const log = createLog({ name: 'knowledge-base-service', level: config.logLevel });
  const parts = { clock: () => new Date(), newId: randomUUID, log, onMismatch };
  return { knowledgeBase: await openLocalKnowledgeBase({ ...config, ...parts }), log };
}

async function rebuildIndex(config: Config): Promise<void> {
  const { knowledgeBase } = await open(config, 'rebuild');
  try {
    print(toRebuilt(await knowledgeBase.rebuildIndex()));
  } finally {
    await knowledgeBase.close();
  }
}

/** A second signal ends the process at once, as it would without this. Who started it with a channel may end without one. */
const untilSignal = (): Promise<void> =>
  new Promise((resolve) => {
    process.once('SIGTERM', resolve);
    process.once('SIGINT', resolve);
    process.once('disconnect', resolve);
    process.channel?.unref(); // Listening would keep the process for as long as the channel is there.
  });

async function serve(config: Config): Promise<void> {
  const { knowledgeBase, log } = await open(config, 'upgrade');
  const clock = (): Date => new Date();
  const access = openAccess({ config, server: 'knowledge-base', clock, log });
  refuseOpenStore(config, access);
  const isInsecure = config.allowInsecure;
  const door = await serveKnowledgeBase({ ...config, knowledgeBase, access, isInsecure, version, log }).catch(
    async (error: unknown) => {
      await knowledgeBase.close();
      throw error;
    },
  );
  log.info({ url: door.url, mcp: `${door.url}/mcp`, store: engineOf(config).describe(config) }, 'listening');
  await untilSignal();
  await door.close();
  await knowledgeBase.close();
}

/** Without isolation every call sees every document: keys for some users would promise what is not so. */
function refuseOpenStore({ isolation }: Config, { guard }: Access): void {
  if (isolation === 'strict' || guard.isAsked?.() !== true) return;
  throw new ContextloomError('invalid', 'KB_ISOLATION must be strict where callers need keys', {
    field: 'KB_ISOLATION',
  });
}

await runCommand(process, 'knowledge-base service', async () => {
  const given = readCommand(process, {
    usage: 'node services/knowledge-base/dist/service.js [flags]',
    summary: 'Contextloom knowledge base: the HTTP service that keeps documents and finds them again.',
    version,
    flags,
    settings,
  });
  if (given === undefined) return;
  if (given.flags['rebuild-index'] === true) await rebuildIndex(given.config);
  else await serve(given.config);
});
