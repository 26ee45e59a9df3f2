#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { INTERRUPTED, runJob } from '@contextloom/runtime';
import { storeSettings } from './config.ts';
import { reembedStore } from './jobs.ts';
import { version } from './version.ts';

await runJob({
  process,
  name: 'knowledge-base',
  entry: 'reembed',
  version,
  summary:
    'Contextloom knowledge base: makes every vector of the store again with the embedder that is configured. It can be interrupted and run again.',
  settings: storeSettings,
  flags: {
    all: {
      type: 'boolean',
      description: 'Make everything again, even in a store that the embedder has filled already',
    },
  },
  run: async ({ config, flags, log, catchInterrupt }) => {
    const onProgress = (line: string): boolean => process.stderr.write(`${line}\n`);
    const work = { config, clock: () => new Date(), newId: randomUUID, log, signal: catchInterrupt(), onProgress };
    const { text, isInterrupted } = await reembedStore({ ...work, all: flags['all'] === true });
    if (isInterrupted) process.exitCode = INTERRUPTED;
    return text;
  },
});
