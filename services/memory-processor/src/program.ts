import { join } from 'node:path';
import type { ServerProgram } from '@contextloom/mcp-kit';
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

/** The memory processor as a server. */
export const memoryProcessorProgram: ServerProgram<typeof settings> = {
  name: 'memory-processor',
  version,
  summary: 'Contextloom memory processor: conversations to rated memories.',
  settings,
  flags,
  build: async ({ config, flags: given, env, log, embed }) => {
    const configFile = String(given['config'] ?? config.configFile);
    const open = () => openMemoryStore({ config: { ...config, configFile }, env, log, embed });
    const memories = createLazyMemoryStore(open);
    const { noteReader, ...readers } = await openReaders(config, log);
    const processor = createMemoryProcessor({ memories, ...readers, threshold: config.threshold });
    return {
      factory: createMemoryProcessorServer({
        ...{ processor, noteReader, undatedTurns: config.undatedTurns, version, log },
        forget: (userId, isDryRun) => forgetImports(join(config.dataDir, JOURNAL_FILE), userId, isDryRun),
      }),
      close: () => memories.close(),
    };
  },
  checks: ({ config, flags: given, env, log }) =>
    checkMemoryProcessor({
      config: { ...config, configFile: String(given['config'] ?? config.configFile) },
      env,
      log,
    }),
};
