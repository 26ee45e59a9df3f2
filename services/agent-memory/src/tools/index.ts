import type { Tool } from '@contextloom/mcp-kit';
import { addEntry } from './add-entry.ts';
import { archiveEntries } from './archive-entries.ts';
import { deleteEntry } from './delete-entry.ts';
import type { AgentMemoryDeps } from './deps.ts';
import { getEntry } from './get-entry.ts';
import { getIdentity } from './get-identity.ts';
import { initIdentity } from './init-identity.ts';
import { listEntries } from './list-entries.ts';
import { loadContext } from './load-context.ts';
import { rebuildIndex } from './rebuild-index.ts';
import { searchEntries } from './search-entries.ts';
import { setToolEnabled } from './set-tool-enabled.ts';
import { summarizeDay } from './summarize-day.ts';
import { updateEntry } from './update-entry.ts';
import { updateIdentity } from './update-identity.ts';

/** The tools of the agent memory, in the order that clients see. */
export const tools: readonly Tool<AgentMemoryDeps>[] = [
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
