import { openChatModel } from '@contextloom/llm';
import type { Environment, Log } from '@contextloom/runtime';
import { type Check, type CheckOutcome, runCheck } from '@contextloom/server-kit';
import type { Config } from './config.ts';
import { openMemoryStore } from './open-memory-store.ts';
import { createSqlJobQueue } from './store/jobs/sql-job-queue.ts';
import { openPostgresDatabase } from './store/sql/postgres-database.ts';

/** What the server's checks work with. */
export interface MemoryProcessorCheckOptions {
  readonly config: Config;
  readonly env: Environment;
  readonly log: Log;
}

async function checkModel(choice: Config, signal: AbortSignal): Promise<CheckOutcome> {
  if (choice.llmProvider === 'sampling')
    return { status: 'ok', detail: 'the model of the client that calls is asked, where it offers one' };
  const model = await openChatModel(choice);
  if (model === undefined) return { status: 'off', detail: 'no model is configured: written rules make the memories' };
  // A few tokens: a list of models would not show that this one answers.
  await model.complete({ messages: [{ role: 'user', content: 'Answer with the word ok.' }], maxTokens: 16, signal });
  return { status: 'ok', detail: `${model.model} at ${model.address} answers` };
}

async function checkMemories(options: MemoryProcessorCheckOptions): Promise<CheckOutcome> {
  const memories = await openMemoryStore({ ...options, serverLog: 'ignore' });
  try {
    await memories.listRecorded('nobody', 'nothing');
    return { status: 'ok', detail: 'the knowledge base answers' };
  } finally {
    await memories.close();
  }
}

async function checkJobs(databaseUrl: string, log: Log): Promise<CheckOutcome> {
  const jobs = createSqlJobQueue(await openPostgresDatabase(databaseUrl, log));
  try {
    const { queued, running, failed, dead } = await jobs.count();
    return { status: 'ok', detail: `${queued} queued, ${running} running, ${failed} failed, ${dead} dead` };
  } finally {
    await jobs.close();
  }
}

/** Tries out the model and the knowledge base that the settings name. */
export function checkMemoryProcessor(options: MemoryProcessorCheckOptions): Promise<readonly Check[]> {
  const { config, log } = options;
  const { databaseUrl } = config;
  return Promise.all([
    runCheck('model', (signal) => checkModel(config, signal), { log }),
    runCheck('knowledge base', () => checkMemories(options), { log }),
    ...(databaseUrl === undefined ? [] : [runCheck('jobs', () => checkJobs(databaseUrl, log), { log })]),
  ]);
}
