import type { Tool } from '@contextloom/mcp-kit';
import type { MemoryDeps } from '../memory-deps.ts';
import { arbitrations } from './arbitrations.ts';
import { get } from './get.ts';
import { ingestMemory } from './ingest-memory.ts';
import { link } from './link.ts';
import { links } from './links.ts';
import { listProjects } from './list-projects.ts';
import { rollbackArbitration } from './rollback-arbitration.ts';
import { search } from './search.ts';
import { timeline } from './timeline.ts';
import { unlink } from './unlink.ts';
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
  link,
  unlink,
  links,
];

/** How tools are named: with the dot of the design, or with an underscore for models whose API refuses dots. */
export type ToolNames = 'dotted' | 'underscore';

/** Writes the names of tools in a text as they are called. */
export function toToolNames(names: ToolNames): (text: string) => string {
  return (text) => (names === 'dotted' ? text : text.replaceAll('mem.', 'mem_'));
}

/** The tools of the project memory, in the order that clients see. */
export function nameTools(names: ToolNames): readonly Tool<MemoryDeps>[] {
  const toName = toToolNames(names);
  return tools.map((tool) => ({ ...tool, name: toName(tool.name), description: toName(tool.description) }));
}
