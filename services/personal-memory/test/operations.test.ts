import { localPrincipal, type Principal } from '@contextloom/access';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { MemoryStore } from '../src/domain/store.ts';
import { operations } from '../src/operations/index.ts';
import { connect, createServer, makeFolder, openStore, removeFolder } from './support/memory.ts';

let folder: string;
let store: MemoryStore;
const closing: (() => Promise<void>)[] = [];
beforeEach(async () => {
  folder = makeFolder();
  store = openStore(folder);
  const many = await connect(store, { userId: undefined });
  closing.push(() => many.close());
  for (const user_id of ['ann', 'bob']) {
    for (const [entity_type, name] of [
      ['pet', 'Biscuit'],
      ['pet', 'Bix'],
      ['person', 'Mia'],
    ]) {
      await many.ask('create_entity', { user_id, entity_type, name, attributes: { breed: 'golden retriever' } });
    }
  }
});
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
  await store.close();
  removeFolder(folder);
});

/** Connects to a server, for many users unless it is one's, as somebody with limited reach. */
async function connectAs(users: Principal['users'], userId?: string): Promise<TestClient> {
  const principal = { ...localPrincipal, name: 'key', users };
  const client = await connectInMemory(createServer(store, { userId }), principal);
  closing.push(() => client.close());
  return client;
}

/** Those about one user; the list of users is about all that a caller reaches. */
const aboutUsers = operations.filter(({ scope }) => scope === 'user');
const examples = aboutUsers.map(({ name, requires, example }) => {
  const { user_id: _named, ...args } = Object(example?.input) as Record<string, unknown>;
  return { name, requires, args };
});

describe('the examples of the operations', () => {
  it('are calls that work in their order, and answers that they may give', async () => {
    const client = await connectAs('all');
    for (const { name, input, output, example } of operations) {
      expect([name, input.safeParse(example?.input).error, output.safeParse(example?.output).error]).toEqual([
        name,
        undefined,
        undefined,
      ]);
      const { isError, structured } = await client.callTool(name, example?.input as Record<string, unknown>);
      expect([name, isError]).toEqual([name, false]);
      const given = Object.keys(structured as object);
      expect([name, given]).toEqual([name, expect.arrayContaining(Object.keys(example?.output as object))]);
    }
  });
});

describe('a caller with limited reach', () => {
  it('works on the memory of its only user without naming them', async () => {
    const client = await connectAs(['ann']);
    const { tools } = await client.listTools();
    expect(tools.filter(({ inputSchema }) => 'user_id' in (inputSchema.properties ?? {}))).toEqual([]);
    const before = await dataOf('bob');
    for (const { name, args } of examples) {
      expect([name, (await client.callTool(name, args)).isError]).toEqual([name, false]);
    }
    expect(await dataOf('bob')).toBe(before);
  });

  it('has to name one where it reaches several', async () => {
    const client = await connectAs(['ann', 'bob']);
    for (const { name, args } of examples) {
      expect((await client.callTool(name, args)).text).toBe('user_id is required (string)');
      expect([name, (await client.callTool(name, { ...args, user_id: 'bob' })).isError]).toEqual([name, false]);
    }
  });

  it.each([
    [['ann'], undefined, 'user_id must be "ann" or left out'],
    [['ann', 'cy'], undefined, 'user_id must be one that this caller may name'],
    [['ann'], 'ann', 'user_id must be "ann" or left out'],
    [['ann'], 'bob', 'user_id must be "ann" or left out'],
    [[], undefined, 'this caller reaches no user'],
  ])('that reaches %j reaches nobody else, on a server for %s', async (users, userId, message) => {
    const client = await connectAs(users, userId);
    const before = await dataOf('bob');
    for (const { name, args } of examples) {
      for (const user_id of ['bob', ' bob', 'Bob']) {
        const answer = await client.callTool(name, { ...args, user_id });
        expect([name, answer]).toMatchObject([
          name,
          { isError: true, text: expect.stringContaining(userId === undefined ? message : 'user_id must be') },
        ]);
      }
    }
    expect(await dataOf('bob')).toBe(before);
  });

  it('gets no chart of another user, and sees its own in the list', async () => {
    const many = await connectAs('all');
    for (const user_id of ['ann', 'bob']) {
      await many.callTool('add_event', {
        user_id,
        event_type: user_id === 'ann' ? 'purchase' : 'illness',
        description: 'x',
      });
    }
    const client = await connectAs(['ann']);
    const { resources } = await client.client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      'memory://event-templates',
      'memory://trends/purchase.svg',
      'memory://trends/all.svg',
    ]);
    for (const { uri } of resources) expect(await client.readText(uri)).not.toBe('');
    await expect(client.readText('memory://trends/illness.svg?user_id=bob')).rejects.toThrow('user_id must be "ann"');
    await expect(client.readText('memory://trends/illness.svg')).rejects.toThrow('no illness events');
  });

  it('that may only read is offered and answered by what reads alone', async () => {
    const reader: Principal = { ...localPrincipal, name: 'reader', users: ['ann'], scopes: ['read'] };
    const client = await connectInMemory(createServer(store, {}), reader);
    closing.push(() => client.close());
    const { tools } = await client.listTools();
    const reading = operations.filter(({ requires }) => requires === 'read').map(({ name }) => name);
    expect(reading).not.toContain('export_data');
    expect(tools.map(({ name }) => name)).toEqual(reading);
    for (const { name, requires, args } of examples.filter((one) => !reading.includes(one.name))) {
      expect((await client.callTool(name, args)).text).toBe(
        `${name} needs the scope ${requires}, which this caller does not have`,
      );
    }
  });
});

/** What is stored of a user. */
async function dataOf(user_id: string): Promise<unknown> {
  const many = await connect(store, { userId: undefined });
  closing.push(() => many.close());
  return (await many.ask('export_data', { user_id }))['data'];
}
