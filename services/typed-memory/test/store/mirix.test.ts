import { inspect } from 'node:util';
import { memoryTypes } from '@contextloom/contracts/typed-memory';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openFollowedStore, openMirixTestStore } from '../support/mirix-store.ts';
import { type ScriptedMirix, startScriptedMirix } from '../support/scripted-mirix.ts';
import type { Reply } from '../support/scripted-mirix-state.ts';
import { newUser } from '../support/service.ts';
import { describeTypedMemoryStore, toDraft } from './typed-memory-store.contract.ts';

let [server, desktop] = [undefined, undefined] as unknown as [ScriptedMirix, ScriptedMirix];
beforeAll(async () => {
  [server, desktop] = await Promise.all([startScriptedMirix('server'), startScriptedMirix('desktop')]);
});
afterEach(() => {
  for (const mirix of [server, desktop]) mirix.fault(undefined);
});
afterAll(() => Promise.all([server.close(), desktop.close()]));

describeTypedMemoryStore('memories in the MIRIX server of today', () => openMirixTestStore(server));
describeTypedMemoryStore('memories in the MIRIX desktop backend', () => openFollowedStore(desktop));

const all = (query: string, limit = 10) => ({ query, types: memoryTypes, limit });
const semantic = (content: string) => toDraft('semantic', content);
const pathsOf = (mirix: ScriptedMirix, path: string) => mirix.calls.filter((call) => call.path === path);

describe('memories in the MIRIX server of today', () => {
  it('are told to it with their type, context and time, for the user of the same id', async () => {
    const user = newUser();
    const occurredAt = '2026-03-01T00:00:00.000Z';
    const draft = toDraft('episodic', '和陈老师\n吃了火锅', { context: 'a\nb', occurredAt });
    expect(await openMirixTestStore(server).add(user, draft)).toEqual({ kind: 'processed', type: 'episodic' });
    expect(pathsOf(server, '/memory/add_sync').at(-1)?.body).toEqual({
      user_id: user,
      meta_agent_id: 'agent-1',
      messages: [{ role: 'user', content: 'Remember this as episodic memory.\nContext: a b\n\n和陈老师\n吃了火锅' }],
      occurred_at: occurredAt,
    });
  });

  it('come as each type has them', async () => {
    const [store, user] = [openMirixTestStore(server), newUser()];
    await store.add(user, toDraft('procedural', 'open the valve, then drain it'));
    await store.add(user, toDraft('resource', 'x'.repeat(500)));
    await store.add(user, toDraft('episodic', 'the boat came'));
    await store.add(user, toDraft('core', 'Likes tea'));
    const overview = await store.overview(user, memoryTypes, 10);
    expect(overview.procedural?.newest[0]?.details).toEqual({ steps: ['open the valve', 'drain it'] });
    expect(overview.episodic?.newest[0]).toMatchObject({
      occurredAt: '2026-03-01T10:00:00.000Z',
      updatedAt: '2026-03-11T08:00:00.000Z',
    });
    // The assistant's own persona is no memory of the user.
    expect(overview.core).toMatchObject({ total: 1, newest: [{ content: 'Likes tea' }] });
    const [found] = await store.search(user, { query: 'resource', types: ['resource'], limit: 1 });
    expect([found?.content.length, found?.isPassage]).toEqual([200, true]);
    expect((await store.get(user, found?.id ?? ''))?.content).toHaveLength(500);
  });

  it('show of a secret that MIRIX keeps itself the caption alone', async () => {
    const [store, user] = [openMirixTestStore(server), newUser()];
    server.items.set(user, [{ id: 'kv-1', type: 'knowledge_vault', text: 'hunter2-Delta' }]);
    const found = await store.search(user, { query: 'caption', types: ['knowledge_vault'], limit: 5 });
    expect(found).toMatchObject([{ content: 'A caption' }]);
    expect(JSON.stringify([found, await store.get(user, found[0]?.id ?? '')])).not.toContain('hunter2');
  });

  it('are found by words alone where MIRIX has no embedding model', async () => {
    const [store, user] = [openMirixTestStore(server), newUser()];
    await store.add(user, semantic('Kelp is an alga'));
    server.fault(({ query }) => (query.get('search_method') === 'embedding' ? { status: 500, json: {} } : undefined));
    expect(await store.search(user, all('kelp'))).toMatchObject([{ content: 'Kelp is an alga' }]);
  });

  it('are put in order by what was asked for, one-character Chinese words too', async () => {
    const [store, user] = [openMirixTestStore(server), newUser()];
    for (const content of ['潮汐表在抽屉里', '猫叫阿福', '船停在三号泊位']) await store.add(user, semantic(content));
    const [first] = await store.search(user, all('猫'));
    expect(first?.content).toBe('猫叫阿福');
  });

  it('are found by a question that is longer than an address may be', async () => {
    const [store, user] = [openMirixTestStore(server), newUser()];
    await store.add(user, semantic('The sextant is in the drawer'));
    const [first] = await store.search(user, all(`Where is the sextant? ${'船在港口。'.repeat(20_000)}`));
    expect(first?.content).toBe('The sextant is in the drawer');
  });

  it('are queued where MIRIX has a queue alone, and the outcome says so', async () => {
    server.fault(({ path }) => (path === '/memory/add_sync' ? { status: 404, json: {} } : undefined));
    expect(await openMirixTestStore(server).add(newUser(), semantic('x'))).toEqual({
      kind: 'queued',
      type: 'semantic',
    });
  });

  it('are told once, though the connection breaks', async () => {
    const [store, user] = [openMirixTestStore(server), newUser()];
    server.fault(({ path }) => (path.startsWith('/memory/add') ? 'cut' : undefined));
    await expect(store.add(user, semantic('once'))).rejects.toThrow('whether it took effect is not known');
    expect(
      server.calls.filter(({ path, body }) => path.startsWith('/memory/add') && body['user_id'] === user),
    ).toHaveLength(1);
  });

  it('have one agent and one user each, though many calls come at once', async () => {
    server.wipe();
    const [store, user] = [openMirixTestStore(server), newUser()];
    const before = pathsOf(server, '/agents/meta/initialize').length;
    await Promise.all([1, 2, 3, 4].map((at) => store.add(user, semantic(`fact ${at}`))));
    expect(pathsOf(server, '/agents/meta/initialize').length - before).toBe(1);
    expect(pathsOf(server, '/users/create_or_get').filter(({ body }) => body['user_id'] === user)).toHaveLength(1);
  });

  it('can be kept again after MIRIX lost its users and agents', async () => {
    const [store, user] = [openMirixTestStore(server), newUser()];
    await store.add(user, semantic('before'));
    server.wipe();
    await expect(store.add(user, semantic('lost'))).rejects.toMatchObject({ code: 'unavailable' });
    expect(await store.add(user, semantic('after'))).toMatchObject({ kind: 'processed' });
  });
});

describe('users of the MIRIX server of today', () => {
  it('are never confused, whatever their ids look like', async () => {
    const odd = fc.constantFrom('a&user_id=b', 'prepare', '../ann', 'ann%2e', 'Ann', '', 'a+b', '林工', '__proto__');
    const userIds = fc.uniqueArray(
      fc.tuple(odd, fc.nat(99)).map(([name, at]) => `${name}${at}`),
      {
        minLength: 2,
        maxLength: 3,
      },
    );
    await fc.assert(
      fc.asyncProperty(userIds, async (users) => {
        server.wipe();
        const store = openMirixTestStore(server);
        for (const user of users) await store.add(user, semantic(`pier of ${user}`));
        for (const user of users) {
          const contents = (await store.search(user, all('pier'))).map(({ content }) => content);
          expect(contents).toEqual([`pier of ${user}`]);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('have ids of their own for the same item, which lead nobody else to it', async () => {
    const [store, ann, bob] = [openMirixTestStore(server), newUser(), newUser()];
    const ids = [];
    for (const user of [ann, bob]) {
      await store.add(user, semantic('The same words'));
      ids.push((await store.search(user, all('words')))[0]?.id ?? '');
    }
    expect(new Set(ids).size).toBe(2);
    expect(await store.get(bob, ids[0] ?? '')).toBeUndefined();
    expect(await store.get(ann, ids[0] ?? '')).toMatchObject({ content: 'The same words' });
  });

  const other = { user_id: 'somebody-else' };
  const listed = { total_count: 1, items: [{ id: 'x', summary: 'theirs', ...other }] };
  const found = { memory_type: 'core', id: 'x', value: 'theirs', ...other };
  it.each<[string, string, object]>([
    ['is created as', '/users/create_or_get', { id: 'somebody-else' }],
    ['is listed', '/memory/components', { success: true, ...other, memories: {} }],
    ['is listed an item of', '/memory/components', { success: true, memories: { semantic: listed } }],
    ['is shown', '/memory/search', { success: true, results: [found], count: 1 }],
  ])('see nothing when MIRIX answers for another: one who %s', async (_name, path, json) => {
    const [store, user] = [openMirixTestStore(server), newUser()];
    server.fault((call) => (call.path === path ? { json } : undefined));
    const asked = path === '/memory/search' ? store.search(user, all('x')) : store.overview(user, memoryTypes, 5);
    await expect(asked).rejects.toMatchObject({ code: 'forbidden', message: expect.not.stringContaining('somebody') });
  });
});

describe('users of the MIRIX desktop backend', () => {
  const add = (userId: string) => openMirixTestStore(desktop).add(userId, semantic('x'));
  beforeEach(() => desktop.wipe());

  it('are refused while another one is active in the application, with nothing said or read for them', async () => {
    desktop.activate('ann');
    desktop.activate('bob');
    const store = openMirixTestStore(desktop);
    const before = desktop.calls.length;
    const calls = [store.add('ann', semantic('x')), store.search('ann', all('x')), store.overview('ann', ['core'], 1)];
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'forbidden' } });
    }
    const asked = new Set(desktop.calls.slice(before).map(({ path }) => path));
    expect([...asked].sort()).toEqual(['/health', '/users']);
  });

  it('are shown nothing of what was read while the application was switched to another', async () => {
    desktop.activate('ann');
    desktop.items.set('bob', [{ id: '1', type: 'semantic', text: 'of bob' }]);
    desktop.fault(({ path }) => {
      if (path === '/memory/semantic') desktop.activate('bob');
      return undefined;
    });
    const asked = openMirixTestStore(desktop).search('ann', all('bob'));
    await expect(asked).rejects.toThrow('shows the memories of its active user, who is another one');
  });

  it.each<[string, readonly object[], string]>([
    ['nobody of the name', [{ id: 'u1', name: 'bob', status: 'active' }], 'has no user of that id or name'],
    ['two of the name', [1, 2].map((at) => ({ id: `u${at}`, name: 'ann', status: 'active' })), 'has several users'],
    ['one whose name is the id of another', ['ann', 'u2'].map((id) => ({ id, name: 'ann' })), 'has several users'],
    [
      'two active ones',
      ['ann', 'bob'].map((name) => ({ id: name, name, status: 'active' })),
      'shows the memories of its active user',
    ],
    ['nobody active', ['ann', 'bob'].map((name) => ({ id: name, name })), 'shows the memories of its active user'],
  ])('are refused where there is %s', async (_name, users, message) => {
    desktop.fault(({ path }) => (path === '/users' ? { json: { users } } : undefined));
    await expect(add('ann')).rejects.toMatchObject({ code: 'forbidden', message: expect.stringContaining(message) });
  });

  it('are known by their id, too, and alone where nobody is marked as active', async () => {
    desktop.fault(({ path }) => (path === '/users' ? { json: { users: [{ id: 'u1', name: 'x' }] } } : undefined));
    expect(await add('u1')).toEqual({ kind: 'queued', type: 'semantic' });
    expect(pathsOf(desktop, '/send_message').at(-1)?.body).toEqual({
      message: 'Remember this as semantic memory.\n\nx',
      memorizing: true,
      user_id: 'u1',
    });
  });
});

describe('the MIRIX desktop backend', () => {
  beforeEach(() => {
    desktop.wipe();
    desktop.activate('ann');
  });

  it.each<[string, object, string]>([
    [
      'it lacks the key of its model',
      { response: 'Missing API keys for …', status: 'missing_api_keys' },
      'lacks a key',
    ],
    ['its agent failed', { response: 'ERROR_RESPONSE_FAILED', status: 'success' }, 'failed'],
  ])('has not taken a memory when %s, though it says 200', async (_name, json, message) => {
    desktop.fault(({ path }) => (path === '/send_message' ? { json } : undefined));
    const added = openMirixTestStore(desktop).add('ann', semantic('x'));
    await expect(added).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining(message) });
    await expect(added).rejects.toThrow(expect.not.stringContaining('Missing API'));
  });

  it('answers messages, asked again without memorizing where memorizing answers nothing', async () => {
    const { agent } = openMirixTestStore(desktop);
    const ask = (memorizing: boolean) =>
      agent?.answer('ann', { message: 'hi', images: ['data:x'], memorizing }, new AbortController().signal);
    expect(await ask(true)).toBe('You said: hi');
    const [first, second] = pathsOf(desktop, '/send_message').slice(-2);
    expect([first?.body, second?.body]).toEqual([
      { message: 'hi', image_uris: ['data:x'], user_id: 'user-of-ann', memorizing: true },
      { message: 'hi', image_uris: ['data:x'], user_id: 'user-of-ann', memorizing: false },
    ]);
    expect(await ask(false)).toBe('You said: hi');
  });
});

describe('which MIRIX it is', () => {
  const odd = (json: object) => (path: string, reply: Reply) => (call: { path: string }) =>
    call.path === '/health' ? { json } : call.path === path ? reply : undefined;

  it('is told by its health, and asked once', async () => {
    const store = openMirixTestStore(server);
    const before = pathsOf(server, '/health').length;
    await store.check();
    await store.check();
    expect(pathsOf(server, '/health').length - before).toBe(1);
    expect(store.agent?.isThere()).toBe(false);
    const other = openMirixTestStore(desktop);
    await other.check();
    expect(other.agent?.isThere()).toBe(true);
  });

  it('is told by how it lists memories where its health says little', async () => {
    server.fault(odd({ status: 'healthy' })('/memory/components', { json: { success: true, memories: {} } }));
    await expect(openMirixTestStore(server).check()).resolves.toBeUndefined();
    desktop.activate('ann');
    desktop.fault(odd({ status: 'healthy' })('/memory/core', { json: [{ aspect: 'human', understanding: 'x' }] }));
    await expect(openMirixTestStore(desktop).check('ann')).resolves.toBeUndefined();
  });

  it('is not asked where it is said', async () => {
    const before = pathsOf(desktop, '/health').length;
    desktop.activate('ann');
    await openMirixTestStore(desktop, { generation: 'desktop' }).check('ann');
    expect(pathsOf(desktop, '/health').length).toBe(before);
  });

  it.each<[string, Reply]>([
    ['another service', { json: { status: 'ok' } }],
    ['a web page', { text: '<html>hello</html>' }],
    ['nothing', { text: '' }],
  ])('cannot be told of %s, and is asked again by the next call', async (_name, reply) => {
    const store = openMirixTestStore(server);
    server.fault(() => reply);
    await expect(store.check()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('MIRIX_API'),
    });
    server.fault(undefined);
    await expect(store.check()).resolves.toBeUndefined();
  });
});

describe('a MIRIX server that does not answer as it should', () => {
  const overview = (settings = {}) => openMirixTestStore(server, settings).overview('ann', memoryTypes, 5);
  const only =
    (path: string, reply: Reply) =>
    ({ path: called }: { path: string }) =>
      called === path ? reply : undefined;

  it.each<[string, Reply, string]>([
    ['fails', { status: 503, json: { detail: 'postgres is gone' } }, 'failed with HTTP 503'],
    ['is busy', { status: 429, json: {} }, 'is asked too much at once'],
    ['leads elsewhere', { status: 302, text: '', headers: { location: 'http://127.0.0.1:1/' } }, 'answered HTTP 302'],
    ['says that it did not succeed', { json: { success: false, error: 'x' } }, 'in a form that is not'],
    ['has another shape', { json: { success: true, memories: { semantic: [1] } } }, 'in a form that is not'],
    ['is garbage', { text: '{"success": tru' }, 'in a form that is not'],
    ['breaks off', 'cut', 'broke off'],
  ])('is told apart: it %s', async (_name, reply, message) => {
    server.fault(only('/memory/components', reply));
    await expect(overview()).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining(message) });
    await expect(overview()).rejects.toThrow('MIRIX_BACKEND_URL');
    await expect(overview()).rejects.toThrow(expect.not.stringContaining('postgres'));
  });

  it('repeats what it was told, and none of that reaches the log with the error', async () => {
    const store = openMirixTestStore(server);
    server.fault(({ path, body }) =>
      path === '/memory/add_sync' ? { status: 422, json: { detail: [{ input: body }] } } : undefined,
    );
    const error: unknown = await store.add('ann', semantic('private words')).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'unavailable', cause: { status: 422 } });
    expect(inspect(error, { depth: null })).not.toContain('private words');
  });

  it('refuses a key by the name of its setting', async () => {
    await expect(overview({ apiKey: 'wrong' })).rejects.toThrow('refuses the key; set MIRIX_API_KEY');
  });

  it('lets a key only read, or cannot set its agent up', async () => {
    server.fault(only('/agents/meta/initialize', { json: null }));
    await expect(overview()).rejects.toThrow('lets this key only read');
    server.fault(only('/agents/meta/initialize', { status: 500, json: {} }));
    await expect(overview()).rejects.toThrow('MIRIX_AGENT_CONFIG');
  });

  it('is not there at all', async () => {
    const gone = await startScriptedMirix('server');
    await gone.close();
    const store = openMirixTestStore(gone);
    await expect(store.check()).rejects.toThrow('cannot be reached; start it or correct the address');
  });

  it('is given up after its time, by the name of the setting', async () => {
    server.fault(only('/memory/components', 'hang'));
    await expect(overview({ timeoutMs: 300 })).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('MIRIX_TIMEOUT_MS'),
    });
  });

  it('is given up with its caller, down to the request', async () => {
    const [store, caller] = [openMirixTestStore(server), new AbortController()];
    const before = pathsOf(server, '/memory/search').length;
    server.fault(only('/memory/search', 'hang'));
    const asked = store.search('ann', all('x'), caller.signal);
    while (pathsOf(server, '/memory/search').length < before + 2) await new Promise(setImmediate);
    caller.abort(new Error('gone'));
    await expect(asked).rejects.toThrow('gone');
    while (server.open() > 0) await new Promise(setImmediate);
  });
});
