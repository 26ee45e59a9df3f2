import { connectInMemory, type TestClient } from '@contextloom/testing';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { type LocalService, startLocalService } from '../../knowledge-base/test/support/local-service.ts';
import { newUser, openTestServer, openTestStore } from './support/service.ts';

let service: LocalService;
const clients: TestClient[] = [];
beforeAll(async () => {
  service = await startLocalService();
});
afterEach(async () => {
  for (const client of clients.splice(0)) await client.close();
});
afterAll(() => service.stop());

async function connect(userId: string) {
  const { factory } = await openTestServer(userId, { store: openTestStore(service.url) });
  const client = await connectInMemory(factory);
  clients.push(client);
  const ask = async (tool: string, args: Record<string, unknown> = {}) => {
    const { isError, text, structured } = await client.callTool(tool, args);
    if (isError) throw new Error(text);
    return structured as Record<string, unknown>;
  };
  const add = async (content: string, memory_type = 'semantic') =>
    String((await ask('memory_add', { content, memory_type }))['memory_id']);
  const found = async (query: string) =>
    ((await ask('memory_search', { query }))['memories'] as { content: string }[]).map(({ content }) => content);
  return { client, ask, add, found };
}

/** What prompts would be built from. */
async function promptTexts(user: string, query: string): Promise<readonly string[]> {
  const body = JSON.stringify({ query, tags: ['memory'], user_id: user, top_k: 50, min_score: 0.1 });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  const { results } = (await (await fetch(`${service.url}/search`, init)).json()) as { results: { content: string }[] };
  return results.map(({ content }) => content);
}

const LONG = `${'The tide table has another page here. '.repeat(300)}The lamp keeper is Ottilie.`;

it('lists every memory once, last changed first, page by page and by type', async () => {
  const { ask, add } = await connect(newUser());
  const ids: string[] = [];
  for (const at of [1, 2, 3, 4, 5]) ids.unshift(await add(`Harbour note number ${at}`));
  const fact = await add('对花生过敏', 'core');
  await ask('memory_update', { memory_id: ids[4], content: 'Harbour note, corrected' });
  const listed: unknown[] = [];
  let cursor: unknown;
  do {
    const page = await ask('memory_list', { limit: 4, cursor });
    expect(page['total_count']).toBe(6);
    listed.push(...(page['memories'] as { memory_id: string }[]).map(({ memory_id }) => memory_id));
    cursor = page['next_cursor'];
  } while (cursor !== undefined);
  expect(listed).toEqual([ids[4], fact, ...ids.slice(0, 4)]);
  expect(await ask('memory_list', { memory_types: ['core'] })).toMatchObject({
    total_count: 1,
    memories: [{ memory_id: fact, content: '对花生过敏' }],
  });
});

it('corrects a memory under its id, and keeps what it said as a version', async () => {
  const user = newUser();
  const { ask, add, found } = await connect(user);
  const id = await add('The ferry leaves at nine');
  const { memory } = await ask('memory_update', { memory_id: id, content: 'The ferry leaves at noon 渡轮' });
  expect(memory).toMatchObject({ memory_id: id, content: 'The ferry leaves at noon 渡轮' });
  await ask('memory_update', { memory_id: id, content: '渡轮下午一点开' });
  expect(await found('nine')).toEqual([]);
  expect(await found('渡轮')).toEqual(['渡轮下午一点开']);
  const [shown] = (await ask('memory_search', { query: id }))['memories'] as { previous: { content: string }[] }[];
  expect(shown?.previous.map(({ content }) => content)).toEqual([
    'The ferry leaves at noon 渡轮',
    'The ferry leaves at nine',
  ]);
});

it('corrects a long memory to a short one and back, and leaves no passage of the other behind', async () => {
  const user = newUser();
  const { client, ask, add, found } = await connect(user);
  const id = await add(LONG, 'resource');
  await ask('memory_update', { memory_id: id, content: 'The lighthouse is closed' });
  expect(await found('lamp keeper Ottilie')).toEqual([]);
  expect(await promptTexts(user, 'tide table Ottilie')).toEqual([]);
  await ask('memory_update', { memory_id: id, content: LONG });
  expect(JSON.parse(await client.readText(`mirix://memories/${id}`))).toMatchObject({ content: LONG });
});

it.each([
  ['short', 'Kelp grows at the pier'],
  ['long', LONG],
])('deletes a %s memory from all that finds it; adding it again brings it back', async (_kind, content) => {
  const user = newUser();
  const { client, ask, add, found } = await connect(user);
  const id = await add(content);
  await ask('memory_delete', { memory_id: id });
  expect(await found('kelp pier tide Ottilie')).toEqual([]);
  expect(await promptTexts(user, 'kelp pier tide Ottilie')).toEqual([]);
  expect(await ask('memory_list')).toMatchObject({ memories: [], total_count: 0 });
  await expect(client.readText(`mirix://memories/${id}`)).rejects.toThrow('names no memory');
  expect(await client.codeOf('memory_delete', { memory_id: id })).toBe('not_found');
  expect(await client.codeOf('memory_update', { memory_id: id, content: 'x' })).toBe('not_found');
  expect(await add(content)).toBe(id);
  expect(JSON.parse(await client.readText(`mirix://memories/${id}`))).toMatchObject({ content });
});

it('erases a memory, a deleted one and a secret for good', async () => {
  const user = newUser();
  const { ask, add, client } = await connect(user);
  const ids = [await add('Salt is kept in the loft'), await add(LONG, 'resource')];
  for (const memory_id of ids) await ask('memory_delete', { memory_id });
  for (const memory_id of ids) await ask('memory_delete', { memory_id, erase: true });
  const secret = await add('the harbour password is hunter2-zanzibar', 'knowledge_vault');
  expect(await client.codeOf('memory_update', { memory_id: secret, content: 'x' })).toBe('invalid');
  await ask('memory_delete', { memory_id: secret });
  const body = JSON.stringify({ user_id: user });
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  expect(await (await fetch(`${service.url}/documents/list`, init)).json()).toMatchObject({ documents: [], total: 0 });
});

it("never touches another user's memory", async () => {
  const [ann, eve] = [await connect(newUser()), await connect(newUser())];
  const id = await ann.add('Ann hides the key under the third stone');
  expect(await eve.client.codeOf('memory_update', { memory_id: id, content: 'mine' })).toBe('not_found');
  expect(await eve.client.codeOf('memory_delete', { memory_id: id, erase: true })).toBe('not_found');
  expect(await eve.ask('memory_list')).toMatchObject({ memories: [], total_count: 0 });
  expect(await ann.found('third stone')).toEqual(['Ann hides the key under the third stone']);
});

it('keeps who said a memory and what it was drawn from, and goes with that', async () => {
  const user = newUser();
  const { ask } = await connect(user);
  const add = (content: string, more: Record<string, unknown> = {}) =>
    ask('memory_add', { content, memory_type: 'semantic', ...more });
  const follow = async (sources: readonly string[], dry_run: boolean) => {
    const body = JSON.stringify({ user_id: user, sources, change: 'forgotten', dry_run });
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    return ((await (await fetch(`${service.url}/follow_change`, init)).json()) as { consequences: unknown })
      .consequences;
  };
  await add('The boat lies in Leith', { said_by: 'assistant', derived_from: ['note:talk'] });
  await add('船停在利斯', { derived_from: ['note:talk', 'note:letter'] });
  await add('The harbour opens at six', { derived_from: ['note:talk'] });
  // Said by itself it rests on nothing.
  await add('The harbour opens at six');
  const list = async () => (await ask('memory_list'))['memories'] as { content: string; trust: string }[];
  expect((await list()).map(({ content, trust }) => [content, trust])).toEqual(
    expect.arrayContaining([
      ['The boat lies in Leith', 'assistant'],
      ['船停在利斯', 'user'],
    ]),
  );
  const dry = await follow(['note:talk'], true);
  expect(dry).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ what: 'removed', text: 'The boat lies in Leith' }),
      expect.objectContaining({ what: 'kept', text: '船停在利斯', sources_left: 1 }),
    ]),
  );
  expect(dry).toHaveLength(2);
  await follow(['note:talk'], false);
  expect((await list()).map(({ content }) => content).sort()).toEqual(['The harbour opens at six', '船停在利斯']);
  expect(await promptTexts(user, 'the boat in Leith')).not.toContain('The boat lies in Leith');
});
