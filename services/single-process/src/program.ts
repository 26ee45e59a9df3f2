import { dirname, join } from 'node:path';
import { createAggregatorProgram, toCompositionFile } from '@contextloom/context-aggregator/program';
import { defaultComposition, installationRoot } from '@contextloom/mcp-client';
import {
  createEmbed,
  type Edge,
  type EmbeddableServer,
  type ServerProgram,
  toEmbeddable,
} from '@contextloom/server-kit';

/** The servers that can run in this process, by the names of their services. The code of each is loaded when it is first needed. */
function createServers(edge: Edge): Readonly<Record<string, EmbeddableServer>> {
  return {
    persona: toEmbeddable(async () => (await import('@contextloom/persona/program')).personaProgram),
    'knowledge-base': toEmbeddable(async () =>
      (await import('@contextloom/knowledge-base/program')).createKnowledgeBaseProgram(edge),
    ),
    'memory-processor': toEmbeddable(async () =>
      (await import('@contextloom/memory-processor/program')).createMemoryProcessorProgram(edge),
    ),
    'personal-memory': toEmbeddable(async () =>
      (await import('@contextloom/personal-memory/program')).createPersonalMemoryProgram(edge),
    ),
    'typed-memory': toEmbeddable(async () =>
      (await import('@contextloom/typed-memory/program')).createTypedMemoryProgram(edge),
    ),
    'agent-memory': toEmbeddable(async () =>
      (await import('@contextloom/agent-memory/program')).createAgentMemoryProgram(edge),
    ),
    'project-memory': toEmbeddable(async () =>
      (await import('@contextloom/project-memory/program')).createProjectMemoryProgram(edge),
    ),
  };
}

/** What the program takes from its process. */
export interface SingleProcessEdge extends Edge {
  readonly changeFolder: (folder: string) => void;
}

const aggregator = createAggregatorProgram(
  join(installationRoot, 'services', 'context-aggregator', 'dist', 'server.js'),
);
const { configFile } = aggregator.settings;
const settings = { ...aggregator.settings, configFile: { ...configFile, default: defaultComposition } };

/** The aggregator with the servers of this installation that its composition starts, all in one process. */
export function createSingleProcess({ changeFolder, ...edge }: SingleProcessEdge): ServerProgram<typeof settings> {
  const servers = createServers(edge);
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
