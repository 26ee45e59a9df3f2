#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { openEmbedder } from '@contextloom/llm';
import {
  commonSettings,
  createLog,
  type Flag,
  readCommand,
  runCommand,
  type SettingValues,
} from '@contextloom/mcp-kit';
import { storeSettings } from './config.ts';
import type { TextEmbedder } from './domain/embedder.ts';
import { type ReembeddingReport, reembed } from './domain/reembedding.ts';
import type { RebuildProgress } from './domain/store.ts';
import { engineOf } from './engines/index.ts';
import { REEMBED_COMMAND } from './store/fingerprint.ts';
import { version } from './version.ts';

/** As a shell has it for a program that Ctrl-C ended. */
const INTERRUPTED = 130;

const flags: Readonly<Record<string, Flag>> = {
  all: { type: 'boolean', description: 'Make everything again, even in a store that the embedder has filled already' },
};
const settings = { ...storeSettings, ...commonSettings };
type Config = SettingValues<typeof settings>;

function describe(report: ReembeddingReport, { identity }: TextEmbedder): string {
  const embedder = `${identity.provider} ${identity.model} with ${identity.dimensions} dimensions`;
  if (report.kind === 'needless')
    return `The store is filled by ${embedder} already, and nothing is unfinished: nothing was done. --all makes everything again.`;
  const { kind, documents, derived } = report;
  if (kind === 'interrupted')
    return `Interrupted with ${documents} documents done, ${derived} of them now. ${REEMBED_COMMAND} goes on.`;
  return `The store is filled by ${embedder}: ${documents} documents, ${derived} of them derived now.`;
}

// Documents that change meanwhile are done more than once.
const showProgress = ({ documents, done }: RebuildProgress): boolean =>
  process.stderr.write(`${Math.min(done, documents)} of ${documents} documents\n`);

function withAdvice(error: unknown): unknown {
  if (!isContextloomError(error) || error.code === 'conflict') return error; // Another goes on already.
  return new ContextloomError(error.code, `${error.message}. ${REEMBED_COMMAND} goes on where this stopped`, {
    cause: error,
  });
}

async function run(config: Config, all: boolean): Promise<void> {
  const log = createLog({ name: 'knowledge-base-reembed', level: config.logLevel });
  const embedder = await openEmbedder(config);
  const options = { embedder: embedder.identity, onMismatch: 'rebuild', newId: randomUUID, log } as const;
  const store = await engineOf(config).open(config, options);
  const interrupted = new AbortController();
  // A second signal ends the process at once.
  process.once('SIGINT', () => interrupted.abort());
  process.once('SIGTERM', () => interrupted.abort());
  try {
    const { signal } = interrupted;
    const report = await reembed({ store, embedder, all, signal, onProgress: showProgress });
    process.stdout.write(`${describe(report, embedder)}\n`);
    if (report.kind === 'interrupted') process.exitCode = INTERRUPTED;
  } catch (error) {
    throw withAdvice(error);
  } finally {
    await store.close();
  }
}

await runCommand(process, 'knowledge-base reembed', async () => {
  const given = readCommand(process, {
    usage: `${REEMBED_COMMAND} [--all]`,
    summary:
      'Contextloom knowledge base: makes every vector of the store again with the embedder that is configured. It can be interrupted and run again.',
    version,
    flags,
    settings,
  });
  if (given !== undefined) await run(given.config, given.flags['all'] === true);
});
