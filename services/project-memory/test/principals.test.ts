import { localPrincipal, type Principal } from '@contextloom/access';
import { silentLog } from '@contextloom/runtime';
import { listen } from '@contextloom/server-kit';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createProjectMemoryApi, createProjectMemoryServer } from '../src/build-server.ts';
import type { ProjectMemory } from '../src/domain/project-memory.ts';
import { createMetrics } from '../src/metrics.ts';
import { operations } from '../src/operations/index.ts';
import { openEmbedded, type TestDatabase } from './support/databases.ts';
import { createMemory, NOW, openStore } from './support/memory.ts';

const loomOnly: Principal = { name: 'loom-key', users: [], projects: ['loom'], scopes: ['read', 'write'] };
const SECRET = 'The 密码 of the harbour gate changed.';

let opened: TestDatabase;
let memory: ProjectMemory;
let ownerId: string;
/** Two memories of one project, linked; and one of another that was replaced once, and that the first one is linked with. */
let ids: { readonly own: string; readonly second: string; readonly foreign: string; readonly namesake: string };
let arbitration: number;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  opened = await openEmbedded();
  ({ memory, ownerId } = createMemory(await openStore(opened)));
  const ingest = async (project: object, content: string, replaces?: string): Promise<string> =>
    (await memory.ingest({ ...project, content_type: 'insight', content, replaces })).id;
  const own = await ingest({ project_key: 'loom' }, 'The gate of the loom is green.');
  const second = await ingest({ project_key: 'loom' }, 'Threads are counted at night.');
  const before = await ingest({ project_key: 'harbour' }, 'The gate of the harbour is locked.');
  const foreign = await ingest({ project_key: 'harbour' }, SECRET, before);
  const namesake = await ingest({ project_key: 'other', project_name: 'loom' }, 'The gate of a namesake is red.');
  for (const toId of [second, foreign]) await memory.link({ fromId: own, toId, relation: 'tests' });
  await memory.link({ fromId: foreign, toId: namesake, relation: 'tests' });
  ids = { own, second, foreign, namesake };
  arbitration = (await memory.arbitrations({ project_key: 'harbour' }, 1))[0]?.id ?? 0;
});
afterAll(async () => {
  for (const close of closing) await close();
  await opened.close();
});

async function connectAs(principal: Principal): Promise<TestClient> {
  const factory = createProjectMemoryServer({ ownerId, version: '0', log: silentLog, open: async () => memory });
  const client = await connectInMemory(factory, principal);
  closing.push(() => client.close());
  return client;
}

/** Serves the REST API to one caller. */
async function serveTo(principal: Principal) {
  const metrics = createMetrics();
  const open = async () => metrics.observe(memory);
  const options = { ownerId, version: '0', log: silentLog, open, clock: () => NOW, token: undefined, metrics };
  const app = await createProjectMemoryApi(options).toApp({ guard: { identify: () => principal } });
  const listening = await listen(app, { host: '127.0.0.1', port: 0 });
  closing.push(() => listening.close());
  return async (method: string, path: string, body?: string) => {
    const type = path === '/import' ? 'application/x-ndjson' : 'application/json';
    const headers = body === undefined ? {} : { 'content-type': type };
    const response = await fetch(`${listening.url}${path}`, { method, headers, ...(body !== undefined && { body }) });
    return { status: response.status, text: await response.text() };
  };
}

// biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire brings
async function ask(client: TestClient, tool: string, args: Record<string, unknown> = {}): Promise<any> {
  const { isError, structured, text } = await client.callTool(tool, args);
  expect({ tool, isError, text }).toMatchObject({ isError: false });
  return structured;
}

const idsOf = ({ results }: { readonly results: readonly { readonly id: string }[] }): string[] =>
  results.map(({ id }) => id).sort();

it('the operations have examples that their own schemas take', () => {
  for (const { name, input, output, example } of operations) {
    expect([name, input.safeParse(example?.input).error]).toEqual([name, undefined]);
    expect([name, output.safeParse(example?.output).data]).toEqual([name, example?.output]);
  }
});

/** What no parameter takes. */
const WRONG = [[null]];

describe('who may not ask is told that and nothing else, however wrong the rest of the call is', () => {
  const limitedAdmin: Principal = { ...loomOnly, scopes: ['read', 'write', 'admin'] };
  const cells = operations.flatMap(({ name, input, scope, subject }) => {
    const fields = Object.keys(input.shape);
    const another = fields.filter((field) => field === 'owner_id').map((field) => [field, localPrincipal] as const);
    const places = (subject?.places ?? []).map((field) => [field, loomOnly] as const);
    const users = scope === 'none' && fields.includes('user_id') ? [['user_id', limitedAdmin] as const] : [];
    return [...another, ...places, ...users].map(([field, principal]) => ({ name, field, fields, principal }));
  });

  it('in every tool that names somebody', () => {
    const named = new Set(cells.map(({ name }) => name));
    expect(operations.map(({ name }) => name).filter((name) => !named.has(name))).toEqual([
      'count_waiting',
      'list_users',
    ]);
  });

  it.each(cells)('$name, by $field', async ({ name, field, fields, principal }) => {
    const client = await connectAs(principal);
    const rest = fields.filter((one) => !one.startsWith('project_') && one !== field);
    const spoiled = rest.map((one) => ({ [one]: WRONG }));
    for (const wrong of [{}, ...spoiled, Object.assign({}, ...spoiled), { unknown: WRONG }]) {
      const args = { ...wrong, [field]: 'somebody-else' };
      expect([args, await client.codeOf(name, args)]).toEqual([args, 'forbidden']);
    }
  });
});

describe('a caller of one project', () => {
  it('reads and writes it without naming it, and sees nothing of another', async () => {
    const client = await connectAs(loomOnly);
    const { tools } = await client.listTools();
    for (const { inputSchema } of tools) expect(inputSchema.properties).not.toHaveProperty('project_key');
    const { own, second } = ids;
    const searched = await ask(client, 'mem.search', { query: 'gate', include_related: true });
    expect(idsOf(searched)).toEqual([own]);
    expect(searched.results[0].related.map(({ id }: { id: string }) => id)).toEqual([second]);
    expect(idsOf(await ask(client, 'mem.search', { query: '密码' }))).not.toContain(ids.foreign);
    expect(idsOf(await ask(client, 'mem.timeline', { days: 3_650 }))).toEqual([own, second].sort());
    const { results } = await ask(client, 'mem.list_projects');
    expect(results.map(({ project_key }: { project_key: string }) => project_key)).toEqual(['loom']);
    expect(idsOf(await ask(client, 'mem.links', { id: own }))).toEqual([second]);
    expect((await ask(client, 'mem.versions', { id: own })).results).toHaveLength(1);
    expect((await ask(client, 'mem.arbitrations')).results).toEqual([]);
    const added = await ask(client, 'mem.ingest_memory', { content_type: 'plan', content: 'Wind the bobbins first.' });
    expect((await memory.get([added.id]))[0]).toMatchObject({ projectKey: 'loom' });
  });

  it.each([
    ['mem.search', { query: 'gate' }],
    ['mem.timeline', {}],
    ['mem.arbitrations', {}],
    ['mem.ingest_memory', { content_type: 'plan', content: 'Somebody else wrote this.' }],
  ])('may not name another in any place of %s', async (tool, args) => {
    const client = await connectAs(loomOnly);
    const places = [
      ...['harbour', 'Loom', 'loom2'].map((project_key) => ({ project_key })),
      { project_name: 'harbour' },
      { project_path: '/srv/harbour' },
      { project_key: 'harbour', project_name: 'loom' },
    ];
    for (const place of places) {
      const { isError, text } = await client.callTool(tool, { ...args, ...place });
      expect([place, isError, text]).toEqual([place, true, expect.stringContaining('project_key must be "loom"')]);
    }
    expect(JSON.stringify(await memory.newest({ project_key: 'harbour' }, 100))).not.toContain('Somebody');
  });

  it('finds its own by a name, not a namesake', async () => {
    const client = await connectAs(loomOnly);
    const found = idsOf(await ask(client, 'mem.search', { query: 'gate', project_name: 'loom' }));
    expect(found).toContain(ids.own);
    expect(found).not.toContain(ids.namesake);
  });

  it('gets nothing by the id of a memory, an arbitration or a link of another', async () => {
    const client = await connectAs(loomOnly);
    const { own, foreign, namesake } = ids;
    const refusal = async (tool: string, args: Record<string, unknown>): Promise<string> => {
      const { isError, text } = await client.callTool(tool, args);
      expect([tool, isError]).toEqual([tool, true]);
      return text;
    };
    expect(idsOf(await ask(client, 'mem.get', { ids: [foreign, own, namesake] }))).toEqual([own]);
    const past = { ids: [foreign], as_of: NOW.getTime() / 1_000 + 1_000_000_000 };
    expect((await ask(client, 'mem.get', past)).results).toEqual([]);
    const { results } = await ask(client, 'mem.get', { ids: [own], include_related: true });
    expect(JSON.stringify(results)).not.toContain(foreign);
    expect(await refusal('mem.versions', { id: foreign })).toBe(`there is no memory ${foreign}`);
    expect(await refusal('mem.links', { id: foreign })).toBe(`there is no memory ${foreign}`);
    expect((await ask(client, 'mem.arbitrations', { id: foreign })).results).toEqual([]);
    for (const link of [
      { from_id: own, to_id: foreign, relation: 'tests' },
      { from_id: foreign, to_id: own, relation: 'explains' },
    ]) {
      expect(await refusal('mem.link', link)).toContain('there is no memory');
    }
    expect(await ask(client, 'mem.unlink', { from_id: own, to_id: foreign })).toEqual({ removed: 0 });
    expect(await ask(client, 'mem.unlink', { from_id: foreign, to_id: namesake })).toEqual({ removed: 0 });
    expect(await refusal('mem.rollback_arbitration', { arbitration_id: arbitration })).toContain('is not known');
    const replaces = { content_type: 'insight', content: 'The gate is mine.', replaces: foreign };
    expect(await refusal('mem.ingest_memory', replaces)).toContain('in this project');
    expect(await memory.get([foreign])).toMatchObject([{ content: SECRET }]);
    expect(await memory.links(foreign)).toHaveLength(2);
  });

  it('meets the same limits over REST, on pages and in exports', async () => {
    const request = await serveTo(loomOnly);
    const { own, foreign } = ids;
    const forbidden = { status: 403, text: expect.stringContaining('ERR_FORBIDDEN') };
    expect(await request('GET', '/memories/search?query=gate&project_name=harbour')).toEqual(forbidden);
    const found = idsOf(JSON.parse((await request('GET', '/memories/search?query=gate')).text));
    expect(found).toContain(own);
    for (const id of [foreign, ids.namesake]) expect(found).not.toContain(id);
    expect(JSON.parse((await request('GET', `/memories?ids=${foreign}`)).text).results).toEqual([]);
    expect((await request('GET', `/memories/${foreign}/versions`)).status).toBe(404);
    const rollback = JSON.stringify({ arbitration_id: arbitration });
    expect((await request('POST', '/arbitrations/rollback', rollback)).status).toBe(404);
    for (const path of ['/projects/index', '/export']) {
      const { status, text } = await request('GET', path);
      expect([path, status]).toEqual([path, 200]);
      expect(text).toContain('loom');
      expect(text).not.toMatch(/harbour|密码|namesake/);
      expect(await request('GET', `${path}?project_key=harbour`)).toEqual(forbidden);
    }
    expect(await request('GET', '/metrics')).toEqual(forbidden);
    const text = (await (await serveTo(localPrincipal))('GET', '/export')).text;
    expect(await request('POST', '/import', text)).toEqual(forbidden);
  });
});

describe('a caller of several projects', () => {
  const several: Principal = { ...loomOnly, name: 'two', projects: ['loom', 'harbour'] };

  it('reads all of them without naming one, and none besides', async () => {
    const client = await connectAs(several);
    const found = idsOf(await ask(client, 'mem.search', { query: 'gate' }));
    expect(found).toEqual(expect.arrayContaining([ids.own, ids.foreign]));
    expect(found).not.toContain(ids.namesake);
    expect(idsOf(await ask(client, 'mem.links', { id: ids.foreign }))).toEqual([ids.own]);
    expect((await ask(client, 'mem.arbitrations')).results).toMatchObject([{ arbitration_id: arbitration }]);
  });

  it('has to name the one that it writes to', async () => {
    const client = await connectAs(several);
    const note = { content_type: 'plan', content: 'Paint the gate.' };
    const { isError, text } = await client.callTool('mem.ingest_memory', note);
    expect([isError, text]).toEqual([true, 'project_key is required: this caller may name several']);
    await ask(client, 'mem.ingest_memory', { ...note, project_name: 'harbour' });
  });

  it('that reaches none reads nothing', async () => {
    const client = await connectAs({ ...several, projects: [] });
    expect((await ask(client, 'mem.search', { query: 'gate' })).results).toEqual([]);
    expect((await ask(client, 'mem.list_projects')).results).toEqual([]);
    expect((await ask(client, 'mem.get', { ids: [ids.own] })).results).toEqual([]);
  });
});
