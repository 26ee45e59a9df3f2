import type { Principal } from '@contextloom/access';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory, connectOverFetch, type TestClient } from '@contextloom/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createMemoryProcessorServer } from '../src/build-server.ts';
import { createMemoryProcessor } from '../src/create-memory-processor.ts';
import { toDecisionDocument } from '../src/domain/decisions/decision.ts';
import { operations } from '../src/operations/index.ts';
import { createKeptMemories } from './support/memory-stores.ts';

const ann: Principal = { name: 'ann-key', users: ['ann'], projects: 'all', scopes: ['read', 'write'] };
const family: Principal = { ...ann, name: 'family', users: ['ann', 'bob'] };
const reader: Principal = { ...ann, name: 'reader', scopes: ['read'] };
const history = [{ role: 'user', content: 'I am allergic to peanuts.', timestamp: '2024-03-05T19:20:00Z' }];
const ofUsers = operations.filter(({ scope, requires }) => scope === 'user' && requires !== 'admin');

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

it.each(operations)('$name has an example that its schemas take', ({ example, input, output }) => {
  expect(input.safeParse(example?.input).error).toBeUndefined();
  expect(output.safeParse(example?.output).error).toBeUndefined();
});

describe.each([
  ['2025-11-25, in memory', connectInMemory],
  [
    '2026-07-28, over fetch',
    (factory: Parameters<typeof connectOverFetch>[0], principal?: Principal) =>
      connectOverFetch(factory, '2026-07-28', principal),
  ],
] as const)('a principal over %s', (_name, connector) => {
  async function as(principal: Principal, memories = createKeptMemories()) {
    const processor = createMemoryProcessor({ memories });
    const factory = createMemoryProcessorServer({ processor, version: '0', log: silentLog });
    const client: TestClient = await connector(factory, principal);
    closing.push(() => client.close());
    return { client, memories };
  }

  it('with one user saves and reads for that user, without naming it', async () => {
    const { client, memories } = await as(ann);
    const { structured } = await client.callTool('process_transcript', { conversation_history: history });
    expect(structured).toMatchObject({ success: true, memories_saved: 1 });
    expect([...memories.documents.values()].map(({ metadata }) => metadata['user_id'])).toEqual(['ann']);
    expect((await client.callTool('list_decisions')).structured).toEqual({ success: true, decisions: [] });
    const { tools } = await client.listTools();
    for (const { inputSchema } of tools) expect(inputSchema.properties).not.toHaveProperty('user_id');
  });

  it('reaches no other user by any operation', async () => {
    const { client, memories } = await as(ann);
    expect(ofUsers.map(({ name }) => name)).toEqual([
      'process_transcript',
      'list_facts',
      'list_decisions',
      'undo_decision',
      'upload_import',
      'preview_import',
      'start_import',
      'list_imports',
      'undo_import',
      'get_job',
      'list_jobs',
      'retry_job',
      'cancel_job',
    ]);
    for (const { name, example } of ofUsers) {
      const args = { ...(example?.input as Record<string, unknown>), user_id: 'bob' };
      expect(await client.callTool(name, args)).toMatchObject({
        isError: true,
        text: expect.stringContaining('user_id must be "ann" or left out'),
      });
    }
    expect(memories.documents.size).toBe(0);
  });

  it('with several users has to say which', async () => {
    const { client } = await as(family);
    expect((await client.callTool('list_facts', { user_id: 'bob' })).structured).toMatchObject({ facts: [] });
    expect((await client.callTool('list_facts', { user_id: 'cy' })).isError).toBe(true);
    expect(await client.callTool('list_facts')).toMatchObject({
      isError: true,
      text: expect.stringContaining('user_id'),
    });
  });

  it("undoes no decision of another user's by its id", async () => {
    const memories = createKeptMemories();
    const toFact = (doc_id: string) => ({ doc_id, content: doc_id, tags: ['memory'], metadata: { user_id: 'bob' } });
    const [fact, known] = [toFact('lives in Berlin'), toFact('lives in Hamburg')];
    const by = { name: 'rules', promptVersion: '1' };
    const decision = toDecisionDocument({ relation: 'replaces', fact, known, by, at: '2026-03-01T08:00:00.000Z' });
    await memories.save([fact, known, decision]);
    const { client } = await as(ann, memories);
    expect(await client.callTool('undo_decision', { decision_id: decision.doc_id })).toMatchObject({
      isError: true,
      text: `there is no decision "${decision.doc_id}" of this user`,
    });
    const { client: own } = await as({ ...ann, users: ['bob'] }, memories);
    expect((await own.callTool('undo_decision', { decision_id: decision.doc_id })).isError).toBe(false);
  });

  it('who may only read lists, and neither extracts nor saves', async () => {
    const { client } = await as(reader);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'list_facts',
      'list_decisions',
      'list_imports',
      'get_job',
      'list_jobs',
    ]);
    // Both may call a model, which somebody pays for.
    for (const tool of ['process_transcript', 'extract_memories'])
      expect((await client.callTool(tool, { conversation_history: history })).isError).toBe(true);
    const writer = await as(ann);
    expect((await writer.client.callTool('extract_memories', { conversation_history: history })).isError).toBe(false);
  });
});
