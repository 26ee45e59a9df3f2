#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { ContextloomError } from '@contextloom/contracts';
import {
  commonSettings,
  createLog,
  type Flag,
  type FlagValues,
  readCommand,
  runCommand,
  type SettingValues,
} from '@contextloom/mcp-kit';
import { storeSettings } from './config.ts';
import { type MigrationReport, migrate } from './domain/migration.ts';
import type { DocumentStore } from './domain/store.ts';
import { chromaEngine } from './engines/chroma-engine.ts';
import { embeddedEngine } from './engines/embedded-engine.ts';
import { openStoreEmbedder } from './open-embedder.ts';
import { toOperatorError } from './store/fingerprint.ts';
import { version } from './version.ts';

const COMMAND = 'node services/knowledge-base/dist/migrate.js';
/** As a shell has it for a program that Ctrl-C ended. */
const INTERRUPTED = 130;

const flags: Readonly<Record<string, Flag>> = {
  to: { type: 'string', description: 'Where the documents go: chroma, or embedded for the file in KB_DATA_DIR' },
};
const settings = { ...storeSettings, ...commonSettings };
type Config = SettingValues<typeof settings>;
type Direction = 'chroma' | 'embedded';

function parseDirection({ to }: FlagValues): Direction {
  if (to === 'chroma' || to === 'embedded') return to;
  throw new ContextloomError('invalid', '--to must be chroma or embedded', { field: '--to' });
}

/** Opens both stores, of which Chroma's is one way or the other. */
async function open(config: Config, to: Direction): Promise<{ source: DocumentStore; target: DocumentStore }> {
  if (!chromaEngine.isAskedFor(config)) {
    throw new ContextloomError(
      'invalid',
      'CHROMA_URL must be the address of a Chroma server, or CHROMA_API_KEY a key of Chroma Cloud',
    );
  }
  const log = createLog({ name: 'knowledge-base-migrate', level: config.logLevel });
  const { identity } = await openStoreEmbedder({ ...config, log });
  const options = { embedder: identity, newId: randomUUID, log };
  const embedded = await embeddedEngine.open(config, options);
  const chroma = await chromaEngine.open(config, options);
  return to === 'chroma' ? { source: embedded, target: chroma } : { source: chroma, target: embedded };
}

function describe({ kind, documents, copied, others }: MigrationReport, to: Direction): string {
  if (kind === 'interrupted')
    return `Interrupted after ${copied} documents were written. ${COMMAND} --to ${to} goes on.`;
  const rest = others === 0 ? '' : ` It has ${others} more of its own.`;
  return `The ${to} store has all ${documents} documents: ${copied} written now, each read back and compared.${rest}`;
}

async function run(config: Config, to: Direction): Promise<void> {
  const { source, target } = await open(config, to);
  const interrupted = new AbortController();
  // A second signal ends the process at once.
  process.once('SIGINT', () => interrupted.abort());
  process.once('SIGTERM', () => interrupted.abort());
  try {
    const report = await migrate({
      source,
      target,
      signal: interrupted.signal,
      onProgress: ({ pass, documents, copied }) =>
        process.stderr.write(`pass ${pass}: ${documents} documents looked at, ${copied} written\n`),
    });
    process.stdout.write(`${describe(report, to)}\n`);
    if (report.kind === 'interrupted') process.exitCode = INTERRUPTED;
  } catch (error) {
    throw toOperatorError(error);
  } finally {
    await Promise.all([source.close(), target.close()]);
  }
}

await runCommand(process, 'knowledge-base migrate', async () => {
  const given = readCommand(process, {
    usage: `${COMMAND} --to <chroma|embedded>`,
    summary:
      'Contextloom knowledge base: copies all documents between the file in KB_DATA_DIR and a Chroma server. It can be interrupted and run again.',
    version,
    flags,
    settings,
  });
  if (given !== undefined) await run(given.config, parseDirection(given.flags));
});
