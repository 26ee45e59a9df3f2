import { localPrincipal, type Principal } from '@contextloom/access';
import { silentLog } from '@contextloom/runtime';
import { checkExamples } from '@contextloom/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createApi } from '../src/http/api.ts';
import { listen } from '../src/http/listen.ts';
import { createMcpEndpoint } from '../src/http/mcp-endpoint.ts';
import type { OperationContext } from '../src/operation/context.ts';
import { toForm, toHelp } from '../src/operation/describe.ts';
import { defineOperation } from '../src/operation/operation.ts';
import { toRoutes } from '../src/operation/to-route.ts';
import { createMcpServer } from '../src/server/server-factory.ts';

interface Deps {
  readonly notes: Map<string, string[]>;
}

const scopeFields = { user_id: z.string().min(1).optional().describe('Whose notes.') };

const listNotes = defineOperation({
  name: 'list_notes',
  title: 'List notes',
  description: 'Lists the notes of a user.',
  effect: 'reads',
  scope: 'user',
  input: z.object({
    ...scopeFields,
    limit: z.number().int().min(1, 'must be 1 to 9').max(9, 'must be 1 to 9').default(5).describe('Most notes.'),
    loud: z.boolean().default(false),
    words: z.array(z.string()).optional(),
  }),
  output: z.object({ notes: z.array(z.string()), by: z.string() }),
  example: { input: { user_id: 'ann', limit: 2 }, output: { notes: ['tea'], by: 'local' } },
  route: { method: 'get', path: '/users/:who/notes', names: { who: 'user_id' }, refusesUnknown: true },
  run: ({ user_id = 'nobody', limit, loud, words = [] }, { deps, principal }: OperationContext<Deps>) => {
    const all = (deps.notes.get(user_id) ?? []).filter((note) => words.every((word) => note.includes(word)));
    return { notes: all.slice(0, limit).map((note) => (loud ? note.toUpperCase() : note)), by: principal.name };
  },
});

const addNote = defineOperation({
  name: 'add_note',
  title: 'Add a note',
  description: 'Keeps a note.',
  effect: 'adds',
  scope: 'user',
  input: z.object({ ...scopeFields, note: z.string().min(1) }),
  output: z.object({ count: z.number() }),
  route: {
    method: 'post',
    path: '/notes',
    statuses: { 201: 'Kept.' },
    query: ['user_id'],
    etagOf: ({ count }) => `"${count}"`,
  },
  run: ({ user_id = 'nobody', note }, { deps }: OperationContext<Deps>) => {
    const notes = [...(deps.notes.get(user_id) ?? []), note];
    deps.notes.set(user_id, notes);
    return { count: notes.length };
  },
});

/** As the knowledge base has it: the user stands deep in the input. */
const addMany = defineOperation({
  name: 'add_many',
  title: 'Add notes',
  description: 'Keeps notes of several users.',
  effect: 'adds',
  scope: 'user',
  subject: {
    places: ['notes.*.metadata.user_id'],
    named: ({ notes }) => notes.flatMap(({ metadata }) => metadata.user_id ?? []),
    fill: (args, id) => ({
      ...args,
      notes: (args['notes'] as { metadata?: object }[]).map((note) => ({
        ...note,
        metadata: { user_id: id, ...note.metadata },
      })),
    }),
  },
  input: z.object({
    notes: z.array(z.object({ note: z.string(), metadata: z.object({ user_id: z.string().optional() }).default({}) })),
  }),
  output: z.object({ users: z.array(z.string()) }),
  run: ({ notes }) => ({ users: notes.map(({ metadata }) => metadata.user_id ?? '') }),
});

const operations = [listNotes, addNote, addMany];
const createDeps = (): Deps => ({
  notes: new Map([
    ['ann', ['tea', 'oats']],
    ['bob', ['rum']],
  ]),
});
const ann: Principal = { name: 'ann-key', users: ['ann'], projects: 'all', scopes: ['read', 'write'] };
const both: Principal = { ...ann, name: 'family', users: ['ann', 'bob'] };

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function start(principal: Principal = localPrincipal) {
  const deps = createDeps();
  const api = createApi({
    title: 'Notes',
    description: 'Notes of users.',
    version: '0',
    routes: toRoutes(operations),
    deps,
    log: silentLog,
  });
  const mcp = createMcpEndpoint(createMcpServer({ name: 'notes', version: '0', operations, deps, log: silentLog }), {
    log: silentLog,
  });
  const { url, close } = await listen(await api.toApp({ mcp, guard: { identify: () => principal } }), {
    host: '127.0.0.1',
    port: 0,
  });
  closing.push(async () => {
    await mcp.close();
    await close();
  });
  return { url, api };
}

const context = (principal: Principal) => ({
  deps: createDeps(),
  principal,
  signal: new AbortController().signal,
  reportProgress: () => undefined,
});

describe('an operation as a route', () => {
  it('reads the query as its schema wants it', async () => {
    const { url } = await start();
    const answer = await fetch(`${url}/users/ann/notes?limit=1&loud=true&words=t&words=ea`);
    expect(await answer.json()).toEqual({ notes: ['TEA'], by: 'local' });
  });

  it.each([
    ['limit=x', 'limit must be a number', 'limit'],
    ['limit=12', 'limit must be 1 to 9', 'limit'],
    ['limit=', 'limit must be', 'limit'],
    ['loud=perhaps', 'loud must be boolean', 'loud'],
    ['lod=true', 'lod is not known here', 'lod'],
  ])('refuses %s', async (query, message, field) => {
    const { url } = await start();
    const answer = await fetch(`${url}/users/ann/notes?${query}`);
    expect(answer.status).toBe(422);
    const { error } = (await answer.json()) as { error: { message: string; field: string } };
    expect(error.field).toBe(field);
    expect(error.message).toContain(message.slice(0, 12));
  });

  it('takes the fields of the query from nowhere else, and tags its answer', async () => {
    const { url } = await start();
    const add = (query: string, body: object) =>
      fetch(`${url}/notes${query}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
    const answer = await add('?user_id=ann', { note: 'milk', user_id: 'bob' });
    expect([answer.status, answer.headers.get('etag')]).toEqual([201, '"3"']);
    expect(await (await add('', { note: 'milk', user_id: 'bob' })).json()).toEqual({ count: 1 });
  });

  it('calls a field in errors as the request does', async () => {
    const { url } = await start(ann);
    const answer = await fetch(`${url}/users/bob/notes`);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ error: { code: 'forbidden', field: 'who' } });
  });

  it('refuses another value of what the server is bound to, wherever the request names it', async () => {
    const deps = createDeps();
    const routes = toRoutes(operations, { user_id: 'ann' });
    const api = createApi({ title: 'n', description: 'n', version: '0', routes, deps, log: silentLog });
    const { url, close } = await listen(await api.toApp(), { host: '127.0.0.1', port: 0 });
    closing.push(close);
    const add = async (query: string, body: object) => {
      const headers = { 'Content-Type': 'application/json' };
      return (await fetch(`${url}/notes${query}`, { method: 'POST', headers, body: JSON.stringify(body) })).status;
    };
    expect((await fetch(`${url}/users/bob/notes`)).status).toBe(403);
    expect((await fetch(`${url}/users/ann/notes?limit=1`)).status).toBe(200);
    expect([await add('?user_id=bob', { note: 'x' }), await add('', { note: 'x' })]).toEqual([403, 201]);
    expect(deps.notes.get('bob')).toEqual(['rum']);
  });

  it('stands in the API reference, its example fit', async () => {
    checkExamples(toRoutes(operations));
    const { api } = await start();
    expect(api.openApi).toMatchObject({
      paths: {
        '/users/{who}/notes': {
          get: { parameters: [{ name: 'who', in: 'path' }, { name: 'limit' }, { name: 'loud' }, { name: 'words' }] },
        },
        '/notes': { post: { requestBody: { required: true } } },
      },
    });
  });
});

describe('a principal', () => {
  it('with one user need not name it, and may name no other', async () => {
    expect(await listNotes.call({}, context(ann))).toEqual({ notes: ['tea', 'oats'], by: 'ann-key' });
    for (const user_id of ['bob', 'Ann', ' ann', 'ann\u0000', ['ann'], 7, { id: 'ann' }])
      await expect(listNotes.call({ user_id }, context(ann))).rejects.toMatchObject({
        code: 'forbidden',
        field: 'user_id',
      });
  });

  it('with several has to name one of them', async () => {
    expect(await listNotes.call({ user_id: 'bob' }, context(both))).toMatchObject({ notes: ['rum'] });
    await expect(listNotes.call({ user_id: 'cy' }, context(both))).rejects.toMatchObject({ code: 'forbidden' });
    await expect(listNotes.call({}, context(both))).rejects.toMatchObject({ code: 'invalid', field: 'user_id' });
  });

  it('is asked about users wherever they can be named', async () => {
    const notes = (...users: (string | undefined)[]) => ({
      notes: users.map((user_id) => ({ note: 'n', metadata: user_id === undefined ? {} : { user_id } })),
    });
    expect(await addMany.call(notes('ann', undefined), context(ann))).toEqual({ users: ['ann', 'ann'] });
    await expect(addMany.call(notes('ann', 'bob'), context(ann))).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('is asked about what the input was translated into, once, and that is what runs', async () => {
    const translated: string[] = [];
    const findNotes = defineOperation({
      name: 'find_notes',
      title: 'Find notes',
      description: 'Finds notes of the users in its query.',
      effect: 'reads',
      scope: 'user',
      input: z.object({ user_id: z.string().optional(), query: z.string() }),
      output: z.object({ users: z.array(z.string()) }),
      translate: ({ user_id, query }: { user_id?: string | undefined; query: string }) => {
        translated.push(query);
        return {
          users: [
            ...query.split(' ').flatMap((word) => word.match(/^of:(.+)/)?.[1] ?? []),
            ...(user_id ? [user_id] : []),
          ],
        };
      },
      subject: { named: ({ users }) => users },
      run: ({ users }) => ({ users }),
    });
    expect(await findNotes.call({ query: 'tea of:ann' }, context(both))).toEqual({ users: ['ann'] });
    expect(await findNotes.call({ query: 'tea of:bob' }, context(localPrincipal))).toEqual({ users: ['bob'] });
    await expect(findNotes.call({ query: 'tea of:cy' }, context(both))).rejects.toMatchObject({ code: 'forbidden' });
    expect(translated).toEqual(['tea of:ann', 'tea of:bob', 'tea of:cy']);
  });

  it('who may only read adds nothing', async () => {
    const reader = { ...ann, scopes: ['read'] as const };
    await expect(addNote.call({ note: 'x' }, context(reader))).rejects.toMatchObject({
      code: 'forbidden',
      message: 'add_note needs the scope write, which this caller does not have',
    });
  });
});

describe('an operation described', () => {
  it('is a form', () => {
    expect(toForm(addNote)).toEqual({
      name: 'add_note',
      title: 'Add a note',
      description: 'Keeps a note.',
      effect: 'adds',
      scope: 'user',
      fields: [
        { name: 'user_id', description: 'Whose notes.', isRequired: false, schema: { type: 'string', minLength: 1 } },
        { name: 'note', description: '', isRequired: true, schema: { type: 'string', minLength: 1 } },
      ],
    });
  });

  it('is a line of help', () => {
    expect(toHelp([addNote])).toBe('  add_note [user_id] note\n      Add a note (adds)');
  });

  it('is refused at start when nothing can name its user', () => {
    const { input: _dropped, ...rest } = { ...addNote, input: z.object({}), run: () => ({ count: 0 }) };
    expect(() => defineOperation({ ...rest, input: z.object({}), subject: {} } as never)).toThrow('no field user_id');
  });
});
