import { join } from 'node:path';
import process from 'node:process';
import { runServer } from '@contextloom/mcp-kit';
import { createMemoryProcessorServer } from './build-server.ts';
import { checkMemoryProcessor } from './checks.ts';
import { flags, settings } from './config.ts';
import { createMemoryProcessor } from './create-memory-processor.ts';
import { forgetImports } from './imports/forget-imports.ts';
import { JOURNAL_FILE } from './imports/journal/journal.ts';
import { openMemoryStore } from './open-memory-store.ts';
import { openReaders } from './open-readers.ts';
import { createLazyMemoryStore } from './store/lazy-memory-store.ts';
import { version } from './version.ts';

await runServer({
  process,
  name: 'memory-processor',
  version,
  summary: 'Contextloom memory processor: conversations to rated memories.',
  settings,
  flags,
  build: async ({ config, flags: given, log }) => {
    const configFile = String(given['config'] ?? config.configFile);
    const open = () => openMemoryStore({ config: { ...config, configFile }, env: process.env, log });
    const memories = createLazyMemoryStore(open);
    const readers = await openReaders(config, log);
    const processor = createMemoryProcessor({ memories, ...readers, threshold: config.threshold });
    return {
      factory: createMemoryProcessorServer({
        ...{ processor, undatedTurns: config.undatedTurns, version, log },
        forget: (userId, isDryRun) => forgetImports(join(config.dataDir, JOURNAL_FILE), userId, isDryRun),
      }),
      close: () => memories.close(),
    };
  },
  checks: ({ config, flags: given, log }) =>
    checkMemoryProcessor({
      config: { ...config, configFile: String(given['config'] ?? config.configFile) },
      env: process.env,
      log,
    }),
});
