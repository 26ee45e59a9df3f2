import { existsSync } from 'node:fs';
import { describeWaiting, isContextloomError } from '@contextloom/contracts';
import { type ChatModelChoice, type EmbeddingChoice, openChatModel, openEmbedder, tryEmbedder } from '@contextloom/llm';
import { type Check, type CheckOutcome, type Log, runCheck } from '@contextloom/mcp-kit';
import { type DatabaseChoice, loadEmbedded, openSqlDatabase } from './open-project-memory.ts';
import { readCounts } from './store/reading/counts.ts';
import type { Layout } from './store/schema/layout.ts';
import { prepareDatabase } from './store/schema/prepare-database.ts';

/** What the checks work with. */
export interface ProjectMemoryCheckOptions extends DatabaseChoice, EmbeddingChoice, ChatModelChoice {
  readonly ownerId: string;
  readonly layout?: Layout | undefined;
  readonly log: Log;
}

/** Tries out the database, the embedder and the model that the settings name. */
export function checkProjectMemory(options: ProjectMemoryCheckOptions): Promise<readonly Check[]> {
  const { log } = options;
  return Promise.all([
    // An embedded Postgres that is made for the first time takes its seconds.
    runCheck('store', () => checkStore(options), { log, timeoutMs: 30_000 }),
    runCheck('embeddings', (signal) => checkEmbeddings(options, signal), { log }),
    runCheck('model', (signal) => checkModel(options, signal), { log }),
  ]);
}

/** Opens the database, unless it is an embedded one that does not exist yet or that a server already uses. */
async function checkStore(options: ProjectMemoryCheckOptions): Promise<CheckOutcome> {
  const { databaseUrl, dataDir, log } = options;
  if (databaseUrl === undefined && !existsSync(dataDir)) return checkNewStore(dataDir);
  try {
    return await tryStore(options);
  } catch (error) {
    if (!isContextloomError(error) || error.code !== 'conflict' || error.field !== 'PROJECT_MEMORY_DATA_DIR')
      throw error;
    log.debug({ dataDir }, 'the folder is in use');
    return { status: 'ok', detail: `is in use by another server: ${dataDir}` };
  }
}

/** A package without the embedded database, which nobody has used yet, is no fault: the installation is as it was delivered. */
async function checkNewStore(dataDir: string): Promise<CheckOutcome> {
  try {
    await loadEmbedded();
    return { status: 'ok', detail: `is made at the first use: ${dataDir}` };
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    return { status: 'off', detail: error.message };
  }
}

async function tryStore(options: ProjectMemoryCheckOptions): Promise<CheckOutcome> {
  const { identity } = await openEmbedder(options);
  const database = await openSqlDatabase(options, options.log);
  let waiting = 0;
  try {
    await prepareDatabase(database, { space: identity, onMismatch: 'refuse', layout: options.layout });
    waiting = (await readCounts(database, options.ownerId)).pending;
  } finally {
    await database.close();
  }
  const where = database.engine === 'pglite' ? `opens: ${options.dataDir}` : 'the Postgres server of DATABASE_URL';
  return { status: 'ok', detail: waiting === 0 ? where : `${where}; ${describeWaiting(waiting)}` };
}

async function checkEmbeddings(options: ProjectMemoryCheckOptions, signal: AbortSignal): Promise<CheckOutcome> {
  return tryEmbedder(await openEmbedder(options), signal);
}

async function checkModel(options: ProjectMemoryCheckOptions, signal: AbortSignal): Promise<CheckOutcome> {
  const model = await openChatModel(options);
  if (model === undefined)
    return { status: 'off', detail: 'none is set: written rules summarise, conflicts keep both' };
  await model.complete({ messages: [{ role: 'user', content: 'Answer with the word "yes".' }], maxTokens: 16, signal });
  return { status: 'ok', detail: `${model.model} at ${model.address}` };
}
