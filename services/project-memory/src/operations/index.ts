import { defineUserStoreOperations, type Operation } from '@contextloom/server-kit';
import { createUserStore, LINES } from '../domain/transfer/user-store.ts';
import { admitFirst } from './admit-first.ts';
import { arbitrations, rollbackArbitration } from './arbitrations.ts';
import { openFor, type ProjectMemoryDeps } from './deps.ts';
import { link, links, unlink } from './links.ts';
import { brief } from './memories/brief.ts';
import { deleteMemory } from './memories/delete.ts';
import { get } from './memories/get.ts';
import { ingestMemory } from './memories/ingest-memory.ts';
import { listProjects } from './memories/list-projects.ts';
import { search } from './memories/search.ts';
import { timeline } from './memories/timeline.ts';
import { versions } from './memories/versions.ts';

const ofUsers = defineUserStoreOperations<ProjectMemoryDeps>({
  scope: 'none',
  isRouted: true,
  store: (context) => {
    const { ownerId, isEmbedderLocal = false } = context.deps;
    return createUserStore({ ownerId, isEmbedderLocal, open: () => openFor({}, context) });
  },
  lines: LINES,
  exports: 'all memories with versions, decisions and links, where the user is their owner (OWNER_ID),',
});

const all: readonly Operation<ProjectMemoryDeps>[] = [
  ingestMemory,
  search,
  get,
  brief,
  timeline,
  listProjects,
  versions,
  deleteMemory,
  arbitrations,
  rollbackArbitration,
  link,
  unlink,
  links,
  ...ofUsers,
];

/** The operations of the project memory, in the order that clients see. */
export const operations: readonly Operation<ProjectMemoryDeps>[] = all.map(admitFirst);

/** How tools are named: with the dot of the design, or with an underscore for models whose API refuses dots. */
export type ToolNames = 'dotted' | 'underscore';

/** Writes the names of tools in a text as they are called. */
export function toToolNames(names: ToolNames): (text: string) => string {
  return (text) => (names === 'dotted' ? text : text.replaceAll('mem.', 'mem_'));
}

/** The operations with the names that clients of this server call. */
export function nameOperations(names: ToolNames): readonly Operation<ProjectMemoryDeps>[] {
  const toName = toToolNames(names);
  return operations.map((operation) => ({
    ...operation,
    name: toName(operation.name),
    description: toName(operation.description),
  }));
}
