import { existsSync } from 'node:fs';
import { describeWaiting } from '@contextloom/contracts';
import { type ChatModelChoice, type EmbeddingChoice, openChatModel, openEmbedder, tryEmbedder } from '@contextloom/llm';
import type { Log } from '@contextloom/runtime';
import { type Check, type CheckOutcome, runCheck } from '@contextloom/server-kit';
import { type DatabaseChoice, openEngine } from './open-project-memory.ts';
import { readCounts } from './store/reading/counts.ts';

/** What the checks work with. */
export interface ProjectMemoryCheckOptions extends DatabaseChoice, EmbeddingChoice, ChatModelChoice {
  readonly ownerId: string;
  readonly log: Log;
}

/** Tries out the database, the embedder and the model that the settings name. */
export function checkProjectMemory(options: ProjectMemoryCheckOptions): Promise<readonly Check[]> {
  const { log } = options;
  return Promise.all([
    // A folder of an earlier version is taken over first.
    runCheck('store', () => checkStore(options), { log, timeoutMs: 120_000 }),
    runCheck('embeddings', (signal) => checkEmbeddings(options, signal), { log }),
    runCheck('model', (signal) => checkModel(options, signal), { log }),
  ]);
}

/** Opens the database, unless it is one that does not exist yet. */
async function checkStore(options: ProjectMemoryCheckOptions): Promise<CheckOutcome> {
  const { databaseUrl, dataDir, ownerId, log } = options;
  if (databaseUrl === undefined && !existsSync(dataDir)) {
    return { status: 'ok', detail: `is made at the first use: ${dataDir}` };
  }
  const { identity } = await openEmbedder(options);
  const engine = await openEngine(options, log);
  try {
    const { comparison } = await engine.prepare({ space: identity, onMismatch: 'refuse' });
    const waiting = (await readCounts(engine.database, ownerId)).pending;
    const details = [engine.place, comparison, waiting === 0 ? undefined : describeWaiting(waiting)];
    return { status: 'ok', detail: details.filter((part) => part !== undefined).join('; ') };
  } finally {
    await engine.database.close();
  }
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
