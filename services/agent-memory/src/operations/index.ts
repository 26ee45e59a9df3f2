import { defineUserStoreOperations, type Operation } from '@contextloom/server-kit';
import { LINES } from '../domain/user-store.ts';
import { loadContext, reloadContext } from './context.ts';
import type { AgentMemoryDeps } from './deps.ts';
import {
  addEntry,
  deleteEntry,
  findSimilarEntries,
  getDailyLog,
  getEntry,
  listEntries,
  searchEntries,
  updateEntry,
} from './entries.ts';
import {
  getIdentity,
  getIdentityStatus,
  getOwner,
  getSpirit,
  initIdentity,
  listTools,
  setToolEnabled,
  updateIdentity,
  updateOwner,
  updateSpirit,
} from './identity.ts';
import { archiveEntries, rebuildIndex, summarizeDay } from './maintenance.ts';
import { ofAllUsers, toOperationOfUsers, type WorkspacesDeps } from './of-users.ts';

const ofUsers = defineUserStoreOperations<AgentMemoryDeps>({
  scope: 'none',
  store: ({ deps: { storeFor }, principal }) => storeFor(principal),
  lines: LINES,
  exports: 'the files of the workspace, where it is the user who owns it,',
  erases: 'OWNER.md, MEMORY.md, all logs and archives',
});

const ofWorkspace: readonly Operation<AgentMemoryDeps>[] = [
  loadContext,
  searchEntries,
  addEntry,
  listEntries,
  getEntry,
  updateEntry,
  deleteEntry,
  getIdentity,
  initIdentity,
  updateIdentity,
  setToolEnabled,
  summarizeDay,
  archiveEntries,
  rebuildIndex,
];

/** The operations that are tools, in the order that clients see; those with a route are served over REST too. */
export const operations: readonly Operation<AgentMemoryDeps>[] = [...ofWorkspace, ...ofUsers];

/** The operations of REST alone: parts of what tools answer as a whole, each at an address of its own. */
export const restOperations: readonly Operation<AgentMemoryDeps>[] = [
  getSpirit,
  updateSpirit,
  getOwner,
  updateOwner,
  listTools,
  getIdentityStatus,
  reloadContext,
  getDailyLog,
  findSimilarEntries,
];

/** The same where each user has a workspace, for tools and for REST alone. */
export const operationsOfUsers: readonly Operation<WorkspacesDeps>[] = [
  ...ofWorkspace.map(toOperationOfUsers),
  ...ofAllUsers,
];
/** See {@link restOperations}. */
export const restOperationsOfUsers: readonly Operation<WorkspacesDeps>[] = restOperations.map(toOperationOfUsers);
