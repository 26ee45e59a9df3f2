import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { localPrincipal, type Principal } from '@contextloom/access';
import { readSettings, silentLog } from '@contextloom/runtime';
import { createChanges } from '@contextloom/server-kit';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createAgentMemoryServerOfUsers } from '../src/build-server.ts';
import { agentMemorySettings } from '../src/config.ts';
import type { Workspaces } from '../src/domain/workspaces.ts';
import { type OpenWorkspacesOptions, openWorkspaces } from '../src/open-workspaces.ts';
import { operationsOfUsers, restOperationsOfUsers } from '../src/operations/index.ts';
import { toFileEventsOf } from '../src/resources.ts';

let root: string;
let workspaces: Workspaces;
let client: TestClient;
const closing: (() => Promise<unknown>)[] = [];

const inRoot = (...names: string[]): string => join(root, ...names);

async function open(
  options: Partial<Pick<OpenWorkspacesOptions, 'userId' | 'keptOpen' | 'clock' | 'erasing'>> = {},
): Promise<void> {
  const env = {
    AGENT_MEMORY_WORKSPACE: inRoot('workspace'),
    AGENT_MEMORY_WORKSPACES: inRoot('workspaces'),
    AGENT_MEMORY_DATA_DIR: inRoot('data'),
    AGENT_MEMORY_TIMEZONE: 'UTC',
  };
  const changes = createChanges({ log: silentLog });
  workspaces = await openWorkspaces({
    ...readSettings(agentMemorySettings, env, { flags: {} }).values,
    clock: () => new Date(),
    ...options,
    newId: randomUUID,
    log: silentLog,
    eventsOf: (userId) => toFileEventsOf(changes, userId),
  });
  const server = { workspaces, changes, isShared: false, version: '0', log: silentLog };
  closing.push(workspaces.close);
  client = await as(localPrincipal, server);
}
async function as(principal: Principal, server?: Parameters<typeof createAgentMemoryServerOfUsers>[0]) {
  const changes = createChanges({ log: silentLog });
  const factory = createAgentMemoryServerOfUsers(
    server ?? { workspaces, changes, isShared: false, version: '0', log: silentLog },
  );
  const connected = await connectInMemory(factory, principal);
  closing.push(() => connected.close());
  return connected;
}
async function call<T = Record<string, unknown>>(tool: string, args: object, caller = client): Promise<T> {
  const { isError, text, structured } = await caller.callTool(tool, args as Record<string, unknown>);
  if (isError) throw new Error(text);
  return structured as T;
}
const add = (userId: string, content: string, more: object = {}) =>
  call('add_entry', { user_id: userId, content, ...more });
async function contents(userId: string): Promise<readonly string[]> {
  const { items } = await call<{ items: { content: string }[] }>('list_entries', { user_id: userId });
  return items.map(({ content }) => content);
}
/** Every file below the root as its bytes. */
function bytes(folder = root): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => `${name}\n${readFileSync(join(folder, name), 'latin1')}`)
    .join('\n');
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'contextloom-agent-users-'));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  rmSync(root, { recursive: true, force: true });
});

it.each([...operationsOfUsers, ...restOperationsOfUsers])(
  '$name has an example that its schemas take',
  ({ example, input, output }) => {
    expect(input.safeParse(example?.input).error).toBeUndefined();
    expect(output.safeParse(example?.output).error).toBeUndefined();
  },
);

describe('a workspace for each user', () => {
  it('is made when something is first written, and no other user finds it', async () => {
    await open();
    await add('ann', 'Ann drinks oat milk.');
    await add('bob', 'Bob drinks black tea.', { long_term: true });
    expect(await contents('ann')).toEqual(['Ann drinks oat milk.']);
    expect(await contents('bob')).toEqual(['Bob drinks black tea.']);
    const search = await call('search_entries', { user_id: 'bob', query: 'oat milk' });
    expect(JSON.stringify(search)).not.toContain('oat milk.');
    const context = await call<{ context: string }>('load_context', { user_id: 'ann', query: 'tea' });
    expect(context.context).toContain('oat milk');
    expect(context.context).not.toContain('black tea');
    expect(readdirSync(inRoot('workspaces')).sort()).toEqual(['ann', 'bob']);
  });

  it('is looked through for what has ended while nobody uses it, and only where something has', async () => {
    let now = new Date('2026-02-14T12:00:00Z');
    await open({ keptOpen: 1, clock: () => now, erasing: { everyMs: 50, firstMs: 50 } });
    await add('ann', 'The ferry to Zanzibar leaves at noon.', { expires_at: '2026-03-01T00:00:00Z' });
    await add('ann', 'Ann drinks oat milk.');
    await add('bob', 'Bob drinks black tea.');
    expect(bytes()).toContain('Zanzibar');
    now = new Date('2026-03-01T00:00:00Z');
    while (bytes().includes('Zanzibar')) await sleep(20);
    expect(await contents('ann')).toEqual(['Ann drinks oat milk.']);
    expect(await contents('bob')).toEqual(['Bob drinks black tea.']);
  });

  it('is not made by reading: who has none reads an empty one', async () => {
    await open();
    expect(await contents('ann')).toEqual([]);
    const search = await call('search_entries', { user_id: 'bob', query: 'tea' });
    expect(search).toMatchObject({ items: [], user_id: 'bob' });
    await expect(call('get_entry', { user_id: 'bob', id: randomUUID() })).rejects.toThrow('no entry');
    expect(existsSync(inRoot('workspaces'))).toBe(false);
    await expect(call('delete_entry', { user_id: 'bob', id: randomUUID() })).rejects.toThrow('no entry');
    expect(await call('list_users', {})).toEqual({ users: [] });
    await workspaces.close();
    expect(readdirSync(inRoot('workspaces'))).toEqual([]);
  });

  it.each(['../ann', '..', '.', 'ANN', 'Ann', 'a/b', 'a\\b', 'con', '%2e%2e', '小鱼', 'ann ', '.ann', 'ann.'])(
    'of a user called %j is apart from all others, and inside the folder',
    async (userId) => {
      await open();
      await add('ann', 'Ann keeps bees.');
      await add(userId, 'Somebody else keeps goats.');
      expect(await contents('ann')).toEqual(['Ann keeps bees.']);
      expect(await contents(userId)).toEqual(['Somebody else keeps goats.']);
      expect(readdirSync(root).sort()).toEqual(['data', 'workspaces']);
      const folders = readdirSync(inRoot('workspaces'));
      expect(new Set(folders.map((name) => name.toLowerCase())).size).toBe(2);
      const { users } = await call<{ users: { user_id: string }[] }>('list_users', {});
      expect(users.map(({ user_id }) => user_id)).toEqual(['ann', userId].sort());
    },
  );

  it('is refused to a name that no file system takes, and reads as empty', async () => {
    await open();
    const userId = '鱼'.repeat(100);
    await expect(add(userId, 'Too long.')).rejects.toThrow('user_id is too long to name a folder');
    expect(await contents(userId)).toEqual([]);
  });

  it('is shown to callers of its user alone, as tools and as resources', async () => {
    await open();
    await add('ann', 'Ann keeps bees.', { long_term: true });
    const ann: Principal = { ...localPrincipal, name: 'ann', users: ['ann'] };
    const own = await as(ann);
    const tool = (await own.client.listTools()).tools.find(({ name }) => name === 'list_entries');
    expect(Object.keys(tool?.inputSchema.properties ?? {})).not.toContain('user_id');
    expect(await call('list_entries', {}, own)).toMatchObject({ total: 1, user_id: 'ann' });
    expect(await own.readText('agent-memory://users/ann/MEMORY.md')).toContain('bees');
    const bob = await as({ ...localPrincipal, name: 'bob', users: ['bob'] });
    await expect(call('list_entries', { user_id: 'ann' }, bob)).rejects.toThrow('user_id must be "bob"');
    await expect(bob.readText('agent-memory://users/ann/MEMORY.md')).rejects.toThrow();
    await expect(bob.client.subscribeResource({ uri: 'agent-memory://users/ann/MEMORY.md' })).rejects.toThrow();
  });

  it('keeps the one of before for the user who had it', async () => {
    mkdirSync(inRoot('workspace'));
    writeFileSync(inRoot('workspace', 'MEMORY.md'), '# Long-term memory\n\n### 2026-02-14\n\nAnn keeps bees.\n');
    await open({ userId: 'ann' });
    await add('bob', 'Bob keeps goats.');
    expect(await contents('ann')).toEqual(['Ann keeps bees.']);
    expect(readdirSync(inRoot('workspaces'))).toEqual(['bob']);
    expect(await call('list_users', {})).toMatchObject({ users: [{ user_id: 'ann' }, { user_id: 'bob' }] });
  });
});

it('loses nothing where more users write at once than workspaces stay open', async () => {
  await open({ keptOpen: 2 });
  const users = Array.from({ length: 8 }, (_none, index) => `user-${index}`);
  const notes = ['first', 'second', 'third'];
  await Promise.all(notes.flatMap((note) => users.map((userId) => add(userId, `The ${note} of ${userId}.`))));
  for (const userId of users)
    expect([...(await contents(userId))].sort()).toEqual(notes.map((note) => `The ${note} of ${userId}.`).sort());
  expect(await call('count_waiting', {})).toEqual({ waiting_count: 0 });
});

describe('a user who is forgotten', () => {
  it('leaves no file, no folder and no index, and nobody else loses anything', async () => {
    await open();
    await add('ann-the-beekeeper', 'Zanzibar is where the bees are.');
    await call('update_identity', { user_id: 'ann-the-beekeeper', owner: { name: 'Annabel' } });
    await add('bob', 'Bob keeps goats.');
    const counted = await call('forget_user', { user_id: 'ann-the-beekeeper', dry_run: true });
    expect(counted).toMatchObject({ dry_run: true, erased: [{ what: 'files', count: 2 }, { what: 'entries' }] });
    expect(await contents('ann-the-beekeeper')).toHaveLength(1);
    await call('forget_user', { user_id: 'ann-the-beekeeper', dry_run: false });
    for (const word of ['Zanzibar', 'Annabel', 'ann-the-beekeeper']) expect(bytes()).not.toContain(word);
    expect(await contents('bob')).toEqual(['Bob keeps goats.']);
    expect(readdirSync(inRoot('data')).filter((name) => name.endsWith('.sqlite'))).toHaveLength(1);
    expect(await call('list_users', {})).toMatchObject({ users: [{ user_id: 'bob' }] });
  });

  it('may come back', async () => {
    await open();
    await add('ann', 'Ann keeps bees.');
    await call('forget_user', { user_id: 'ann', dry_run: false });
    await add('ann', 'Ann keeps goats.');
    expect(await contents('ann')).toEqual(['Ann keeps goats.']);
  });
});

it('hands out the files of a user, and takes them in for another server', async () => {
  await open();
  await add('ann', 'Ann keeps bees.');
  const { format, version, lines } = await call<{ format: string; version: number; lines: string }>('export_user', {
    user_id: 'ann',
  });
  await call('forget_user', { user_id: 'ann', dry_run: false });
  await call('import_user', { user_id: 'ann', format, version, lines });
  expect(await contents('ann')).toEqual(['Ann keeps bees.']);
});
