import { defineUserStoreOperations, type Operation } from '@contextloom/server-kit';
import { LINES } from '../domain/user-store.ts';
import { loadContext } from './context/load-context.ts';
import { reloadContext } from './context/reload-context.ts';
import type { AgentMemoryDeps } from './deps.ts';
import { addEntry } from './entries/add-entry.ts';
import { deleteEntry } from './entries/delete-entry.ts';
import { findSimilarEntries } from './entries/find-similar-entries.ts';
import { getDailyLog } from './entries/get-daily-log.ts';
import { getEntry } from './entries/get-entry.ts';
import { listEntries } from './entries/list-entries.ts';
import { searchEntries } from './entries/search-entries.ts';
import { updateEntry } from './entries/update-entry.ts';
import { getIdentity } from './identity/get-identity.ts';
import { getIdentityStatus } from './identity/get-identity-status.ts';
import { getOwner } from './identity/get-owner.ts';
import { getSpirit } from './identity/get-spirit.ts';
import { initIdentity } from './identity/init-identity.ts';
import { listTools } from './identity/list-tools.ts';
import { setToolEnabled } from './identity/set-tool-enabled.ts';
import { updateIdentity } from './identity/update-identity.ts';
import { updateOwner } from './identity/update-owner.ts';
import { updateSpirit } from './identity/update-spirit.ts';
import { archiveEntries } from './maintenance/archive-entries.ts';
import { rebuildIndex } from './maintenance/rebuild-index.ts';
import { summarizeDay } from './maintenance/summarize-day.ts';

const ofUsers = defineUserStoreOperations<AgentMemoryDeps>({
  scope: 'none',
  store: ({ deps: { storeFor }, principal }) => storeFor(principal),
  lines: LINES,
  exports: 'the files of the workspace, where it is the user who owns it,',
  erases: 'OWNER.md, MEMORY.md, all logs and archives',
});

/** The operations that are tools, in the order that clients see; those with a route are served over REST too. */
export const operations: readonly Operation<AgentMemoryDeps>[] = [
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
  ...ofUsers,
];

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
