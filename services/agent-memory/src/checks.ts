import { describeWaiting } from '@contextloom/contracts';
import { openChatModel, openEmbedder, tryEmbedder } from '@contextloom/llm';
import { type Check, type CheckOutcome, runCheck } from '@contextloom/server-kit';
import { isDamagedError } from '@contextloom/sqlite';
import { type OpenAgentMemoryOptions, toIndexFile } from './open-agent-memory.ts';
import { listWorkspaces } from './store/files/folder-name.ts';
import { openFolderWorkspace } from './store/files/folder-workspace.ts';
import { openSqliteEntryIndex } from './store/sqlite/sqlite-entry-index.ts';

async function checkWorkspace({
  workspace: folder,
  workspaces,
  multiUser,
  readOnly,
  newId,
  clock,
}: OpenAgentMemoryOptions): Promise<CheckOutcome> {
  if (multiUser)
    return { status: 'ok', detail: `${listWorkspaces(workspaces).length} workspaces of users in ${workspaces}` };
  const files = await openFolderWorkspace({ folder, isReadOnly: readOnly, newId, clock }).list();
  return { status: 'ok', detail: `${files.size} files in ${folder}${readOnly ? ', read-only' : ''}` };
}

async function checkIndex(options: OpenAgentMemoryOptions): Promise<CheckOutcome> {
  if (options.multiUser) return { status: 'ok', detail: `one for each workspace, in ${options.dataDir}` };
  const embedder = await openEmbedder(options);
  const file = toIndexFile(options.dataDir, options.workspace);
  const origin = JSON.stringify([options.timezone]);
  try {
    const index = await openSqliteEntryIndex({ file, embedder, origin, log: options.log });
    const [entries, waiting] = [index.count(), index.countWaiting()];
    await index.close();
    const later = waiting === 0 ? '' : `; ${describeWaiting(waiting)}`;
    return { status: 'ok', detail: `opens: ${file}, ${entries} entries${later}` };
  } catch (error) {
    if (!isDamagedError(error)) throw error;
    return {
      status: 'failed',
      detail: `${file} is damaged: the next start sets it aside and makes it again from the files`,
    };
  }
}

async function checkEmbeddings(options: OpenAgentMemoryOptions, signal: AbortSignal): Promise<CheckOutcome> {
  return tryEmbedder(await openEmbedder(options), signal);
}

async function checkModel(options: OpenAgentMemoryOptions): Promise<CheckOutcome> {
  const model = await openChatModel(options);
  if (model === undefined) return { status: 'off', detail: 'none is set; summaries are made by rules' };
  return { status: 'ok', detail: `${model.model} at ${model.address} (not asked)` };
}

/** Tries out the workspace, the index and the models that the settings name. */
export function checkAgentMemory(options: OpenAgentMemoryOptions): Promise<readonly Check[]> {
  const { log } = options;
  return Promise.all([
    runCheck('workspace', () => checkWorkspace(options), { log }),
    runCheck('index', () => checkIndex(options), { log }),
    runCheck('embeddings', (signal) => checkEmbeddings(options, signal), { log }),
    runCheck('model', () => checkModel(options), { log }),
  ]);
}
