import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readSettings, silentLog } from '@contextloom/runtime';
import { type Step, startScriptedOpenAi } from '@contextloom/testing/llm';
import { expect, it } from '@jest/globals';
import { agentMemorySettings } from '../src/config.ts';
import { openAgentMemory } from '../src/open-agent-memory.ts';
import { createFolder } from './support/memory.ts';

it('embeds what was written while the endpoint was away, without a restart', async () => {
  let step: Step = { kind: 'embed' };
  const endpoint = await startScriptedOpenAi({ dimensions: 48, embeddings: () => step });
  const folder = createFolder();
  const { values } = readSettings(agentMemorySettings, {
    AGENT_MEMORY_WORKSPACE: folder.workspace,
    AGENT_MEMORY_DATA_DIR: join(folder.root, 'data'),
    EMBEDDING_PROVIDER: 'openai',
    EMBEDDING_MODEL: 'm',
    EMBEDDING_BASE_URL: endpoint.url,
    EMBEDDING_API_KEY: endpoint.apiKey,
  });
  const { memory, close } = await openAgentMemory({
    ...values,
    clock: () => new Date(),
    newId: randomUUID,
    log: silentLog,
    embedWaitingEveryMs: 20,
  });
  try {
    step = { kind: 'error', status: 503, retryAfter: '0' };
    await memory.add({ content: 'The terrier is called Rex.', session: 'owner' });
    expect(await memory.countWaiting()).toBe(1);
    step = { kind: 'embed' };
    while ((await memory.countWaiting()) > 0) await sleep(10);
    const { items } = await memory.search({ query: 'terrier Rex', limit: 5, session: 'owner' });
    expect(items).toHaveLength(1);
  } finally {
    await close();
    await endpoint.close();
    folder.remove();
  }
});
