import type { Operation } from '@contextloom/mcp-kit';
import { arbitrations } from './arbitrations.ts';
import type { MemoryDeps } from './deps.ts';
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

/** The operations of the project memory, in the order that clients see. */
export const operations: readonly Operation<MemoryDeps>[] = [
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

/** The operations with the names that clients of this server call. */
export function nameOperations(names: ToolNames): readonly Operation<MemoryDeps>[] {
  const toName = toToolNames(names);
  return operations.map((operation) => ({
    ...operation,
    ...{ name: toName(operation.name), description: toName(operation.description) },
  }));
}
