import {
  createChanges,
  loadLifetimes,
  privacySettings,
  type Runtime,
  type ServerProgram,
} from '@contextloom/server-kit';
import { createAgentMemoryServer, createAgentMemoryServerOfUsers } from './build-server.ts';
import { checkAgentMemory } from './checks.ts';
import { agentMemorySettings } from './config.ts';
import { createMemoryApi, createMemoryApiOfUsers } from './http/api.ts';
import { openAgentMemory, toUpkeep } from './open-agent-memory.ts';
import { openWorkspaces } from './open-workspaces.ts';
import { toFileEvents, toFileEventsOf } from './resources.ts';
import { version } from './version.ts';

const NAME = 'agent-memory';
const settings = { ...agentMemorySettings, ...privacySettings };

/** The agent memory as a server. */
export function createAgentMemoryProgram(runtime: Runtime): ServerProgram<typeof settings> {
  return {
    name: NAME,
    version,
    summary:
      'A memory in Markdown files that people read and edit: who the agent is, whom it serves, what it remembers.',
    settings,
    build: async ({ config, log }) => {
      const changes = createChanges({ log });
      const toLifetime = await loadLifetimes(config, NAME);
      const isShared = config.session === 'shared';
      if (config.multiUser) {
        const workspaces = await openWorkspaces({
          ...config,
          ...runtime,
          toLifetime,
          eventsOf: (userId) => toFileEventsOf(changes, userId),
          log,
        });
        const options = { workspaces, isShared, version, log };
        return {
          factory: createAgentMemoryServerOfUsers({ ...options, changes }),
          api: createMemoryApiOfUsers(options),
          close: workspaces.close,
        };
      }
      const { memory, forgetOwner, close } = await openAgentMemory({
        ...config,
        ...runtime,
        toLifetime,
        events: toFileEvents(changes),
        log,
      });
      const options = {
        memory,
        forgetOwner,
        userId: config.userId,
        isShared,
        version,
        log,
      };
      return { factory: createAgentMemoryServer({ ...options, changes }), api: createMemoryApi(options), close };
    },
    stores: ({ config }) => [toUpkeep(config)],
    checks: ({ config, log }) => checkAgentMemory({ ...config, ...runtime, log }),
  };
}
