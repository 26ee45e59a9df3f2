import { dirname, join } from 'node:path';
import { createAggregatorProgram, toCompositionFile } from '@contextloom/context-aggregator/program';
import { defaultComposition, installationRoot } from '@contextloom/mcp-client';
import {
  createEmbed,
  type EmbeddableServer,
  type Runtime,
  type ServerProgram,
  toEmbeddable,
} from '@contextloom/server-kit';

/** The servers that can run in this process, by the names of their services. The code of each is loaded when it is first needed. */
function createServers(runtime: Runtime): Readonly<Record<string, EmbeddableServer>> {
  return {
    persona: toEmbeddable(async () => (await import('@contextloom/persona/program')).personaProgram),
    'knowledge-base': toEmbeddable(async () =>
      (await import('@contextloom/knowledge-base/program')).createKnowledgeBaseProgram(runtime),
    ),
    'memory-processor': toEmbeddable(async () =>
      (await import('@contextloom/memory-processor/program')).createMemoryProcessorProgram(runtime),
    ),
    'personal-memory': toEmbeddable(async () =>
      (await import('@contextloom/personal-memory/program')).createPersonalMemoryProgram(runtime),
    ),
    'typed-memory': toEmbeddable(async () =>
      (await import('@contextloom/typed-memory/program')).createTypedMemoryProgram(runtime),
    ),
    'agent-memory': toEmbeddable(async () =>
      (await import('@contextloom/agent-memory/program')).createAgentMemoryProgram(runtime),
    ),
    'project-memory': toEmbeddable(async () =>
      (await import('@contextloom/project-memory/program')).createProjectMemoryProgram(runtime),
    ),
  };
}

/** What the program takes from its process. */
export interface SingleProcessRuntime extends Runtime {
  readonly changeFolder: (folder: string) => void;
}

const aggregator = createAggregatorProgram(
  join(installationRoot, 'services', 'context-aggregator', 'dist', 'server.js'),
);
const { configFile } = aggregator.settings;
const settings = { ...aggregator.settings, configFile: { ...configFile, default: defaultComposition } };

/** The aggregator with the servers of this installation that its composition starts, all in one process. */
export function createSingleProcess({
  changeFolder,
  ...runtime
}: SingleProcessRuntime): ServerProgram<typeof settings> {
  const servers = createServers(runtime);
  return {
    ...aggregator,
    name: 'single-process',
    settings,
    build: (context) => {
      const file = toCompositionFile(context.config, context.flags);
      // Relative paths in settings start where they do for a server with a process of its own.
      changeFolder(dirname(file));
      const embed = createEmbed({ servers, cwd: dirname(file) });
      return aggregator.build({ ...context, flags: { ...context.flags, config: file }, embed });
    },
  };
}
