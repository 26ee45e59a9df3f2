import type { Tool } from '@contextloom/mcp-kit';
import type { MemoryDeps } from '../answers.ts';
import { arbitrations } from './arbitrations.ts';
import { get } from './get.ts';
import { ingestMemory } from './ingest-memory.ts';
import { listProjects } from './list-projects.ts';
import { rollbackArbitration } from './rollback-arbitration.ts';
import { search } from './search.ts';
import { timeline } from './timeline.ts';
import { versions } from './versions.ts';

const tools: readonly Tool<MemoryDeps>[] = [
  ingestMemory,
  search,
  get,
  timeline,
  listProjects,
  versions,
  arbitrations,
  rollbackArbitration,
];

/** How tools are named: with the dot of the design, or with an underscore for models whose API refuses dots. */
export type ToolNames = 'dotted' | 'underscore';

/** The tools of the project memory, in the order that clients see. */
export function nameTools(names: ToolNames): readonly Tool<MemoryDeps>[] {
  if (names === 'dotted') return tools;
  return tools.map((tool) => ({
    ...tool,
    name: tool.name.replaceAll('mem.', 'mem_'),
    description: tool.description.replaceAll('mem.', 'mem_'),
  }));
}
