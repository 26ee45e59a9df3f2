#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { INTERRUPTED, runJob } from '@contextloom/runtime';
import { storeSettings } from './config.ts';
import { migrateStore } from './jobs.ts';
import { engines } from './store/index.ts';
import { version } from './version.ts';

await runJob({
  process,
  name: 'knowledge-base',
  entry: 'migrate',
  args: `--to <${engines.map(({ name }) => name).join('|')}> [--from <engine>]`,
  version,
  summary:
    'Contextloom knowledge base: copies all documents between the file in KB_DATA_DIR, a Postgres database and a Chroma server. It can be interrupted and run again.',
  settings: storeSettings,
  flags: {
    to: {
      type: 'string',
      description: 'Where the documents go: chroma, postgres, or embedded for the file in KB_DATA_DIR',
    },
    from: { type: 'string', description: 'Where they are; without it, where the settings say' },
  },
  run: async ({ config, flags, log, catchInterrupt }) => {
    const onProgress = (line: string): boolean => process.stderr.write(`${line}\n`);
    const work = { config, clock: () => new Date(), newId: randomUUID, log, signal: catchInterrupt(), onProgress };
    const { text, isInterrupted } = await migrateStore({ ...work, to: flags['to'], from: flags['from'] });
    if (isInterrupted) process.exitCode = INTERRUPTED;
    return text;
  },
});
