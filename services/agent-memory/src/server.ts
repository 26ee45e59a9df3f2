import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import process from 'node:process';
import { type FlagValues, runServer, type SettingValues } from '@contextloom/mcp-kit';
import { createAgentMemoryServer } from './build-server.ts';
import { checkAgentMemory } from './checks.ts';
import { agentMemoryFlags, agentMemorySettings } from './config.ts';
import { createMemoryApi } from './http/api.ts';
import { openMemory } from './open-memory.ts';
import { version } from './version.ts';

/** The folder of `--workspace` stands before the setting. */
function withFlags(config: SettingValues<typeof agentMemorySettings>, flags: FlagValues) {
  const { workspace } = flags;
  const edge = { clock: () => new Date(), newId: randomUUID };
  return { ...config, ...edge, ...(typeof workspace === 'string' && { workspace: resolve(workspace) }) };
}

await runServer({
  process,
  name: 'agent-memory',
  version,
  summary: 'A memory in Markdown files that people read and edit: who the agent is, whom it serves, what it remembers.',
  settings: agentMemorySettings,
  flags: agentMemoryFlags,
  build: async ({ config, flags, log }) => {
    const { memory, changes, close } = await openMemory({ ...withFlags(config, flags), log });
    const { session, userId } = config;
    const factory = createAgentMemoryServer({ memory, changes, isShared: session === 'shared', userId, version, log });
    return { factory, api: createMemoryApi({ memory, userId, version, log }), close };
  },
  checks: ({ config, flags, log }) => checkAgentMemory({ ...withFlags(config, flags), log }),
});
