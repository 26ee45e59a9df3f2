import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessSettings, addKey, openAccess } from '@contextloom/access';
import { readSettings, silentLog } from '@contextloom/runtime';
import { toRounds } from '@contextloom/testing/rounds';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { serveKnowledgeBase } from './support/serve.ts';
import { openTemporary } from './support/service.ts';

const ATTEMPTS = toRounds(400, 10_000);
const SECRET = 'quokka-lighthouse-7731';

let folder: string;
let url: string;
let key: string;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-hostile-'));
  const file = join(folder, 'keys.json');
  const clock = (): Date => new Date();
  ({ key } = await addKey({ name: 'ann', users: ['ann'], scopes: ['read', 'write'] }, { file, clock }));
  const { knowledgeBase, remove } = await openTemporary();
  const document = (doc_id: string, user_id: string, content: string) => ({
    doc_id,
    content,
    tags: ['memory'],
    metadata: { user_id },
  });
  await knowledgeBase.add([
    document('bob-1', 'bob', `The code is ${SECRET}.`),
    document('bob-2', 'Ann', `Not ann but Ann: ${SECRET}.`),
    document('bob-3', 'ann ', `Not ann but ann with a blank: ${SECRET}.`),
    document('ann-1', 'ann', 'Ann drinks tea.'),
  ]);
  const { values: config } = readSettings(accessSettings, {
    CONTEXTLOOM_KEYS_FILE: file,
    RATE_LIMIT_PER_MINUTE: '1000000',
  });
  const access = openAccess({ config, server: 'knowledge-base', clock, log: silentLog });
  const endpoint = await serveKnowledgeBase({ knowledgeBase, access, log: silentLog });
  url = endpoint.url;
  closing.push(
    () => endpoint.close(),
    remove,
    () => rm(folder, { recursive: true }),
  );
});
afterAll(async () => {
  for (const close of closing) await close();
});

/** Spellings by which somebody may try to name bob, or to be taken for ann. */
const id = fc.oneof(
  fc.constantFrom(
    'bob',
    'Bob',
    'BOB',
    ' bob',
    'bob ',
    'bob\u0000',
    'bo\u200bb',
    'ｂｏｂ',
    'Ann',
    'ann ',
    'ann\u0000',
    'bob,ann',
    '*',
    '%',
    '',
  ),
  fc.constantFrom<unknown>(
    null,
    ['bob'],
    ['ann', 'bob'],
    { id: 'bob' },
    { $in: ['bob', 'ann'] },
    { in: ['bob'] },
    { $ne: 'ann' },
    { ne: 'x' },
    true,
    0,
  ),
  fc.string({ maxLength: 8 }),
);

const filter = fc.letrec((tie) => ({
  leaf: fc.oneof(
    id.map((user_id) => ({ user_id })),
    id.map((value) => ({ 'metadata.user_id': value })),
    fc.constant({ importance: { gte: 0 } }),
    fc.constant({}),
  ),
  node: fc.oneof(
    { depthSize: 'small' },
    tie('leaf'),
    fc.array(tie('node'), { maxLength: 3 }).map((parts) => ({ $or: parts })),
    fc.array(tie('node'), { maxLength: 3 }).map((parts) => ({ $and: parts })),
    tie('node').map((part) => ({ $not: part })),
    tie('node').map((part) => ({ $nor: [part] })),
  ),
})).node;

const anyDocument = fc.constantFrom(
  'bob-1',
  'bob-2',
  'bob-3',
  'bob%2D1',
  '../bob-1',
  'bob-1%00',
  'ann-1/../bob-1',
  '.',
);
const post = (path: string, body: unknown, raw?: string) => ({
  path,
  init: { method: 'POST', body: raw ?? JSON.stringify(body) },
});

/** Every way to ask, with ids that are not the caller's wherever one can be written. */
const attempt = fc.oneof(
  fc
    .record({ filter, user: fc.option(id), query: fc.constantFrom('code', '', SECRET) })
    .map(({ filter: metadata_filter, user, query }) =>
      post('/search', { query, metadata_filter, top_k: 100, ...(user !== null && { user_id: user }) }),
    ),
  fc
    .record({ filter, user: fc.option(id) })
    .map(({ filter: metadata_filter, user }) =>
      post('/documents/list', { metadata_filter, limit: 200, ...(user !== null && { user_id: user }) }),
    ),
  // The same key of JSON twice: whichever a reader takes, it is looked at once.
  id.map((user) =>
    post('/search', {}, `{"query":"code","user_id":"ann","user_id":${JSON.stringify(user)},"top_k":50}`),
  ),
  fc
    .record({ document: anyDocument, user: fc.option(id), method: fc.constantFrom('GET', 'DELETE', 'PATCH') })
    .map(({ document, user, method }) => ({
      path: `/documents/${document}${user === null ? '' : `?user_id=${encodeURIComponent(String(user))}`}`,
      init: { method, ...(method === 'PATCH' && { body: '{"tags":["taken"]}' }) },
    })),
  id.map((user) => ({
    path: `/stats?user_id=ann&user_id=${encodeURIComponent(String(user))}`,
    init: { method: 'GET' },
  })),
  fc
    .record({ document: anyDocument, user: id })
    .map(({ document, user }) =>
      post('/add', { doc_id: document, content: 'taken over', metadata: { user_id: user } }),
    ),
  fc
    .record({
      tool: fc.constantFrom(
        'search_documents',
        'list_documents',
        'get_document',
        'update_document',
        'delete_document',
        'get_stats',
      ),
      user: id,
      filter,
    })
    .map(({ tool, user, filter: metadata_filter }) =>
      post('/mcp', {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: tool, arguments: { query: 'code', doc_id: 'bob-1', user_id: user, metadata_filter } },
      }),
    ),
);

it(`tells a key of one user nothing of others in ${ATTEMPTS} hostile attempts, and lets it change nothing of theirs`, async () => {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
  };
  let answered = 0;
  const attempts = fc.sample(attempt, { numRuns: ATTEMPTS, seed: 20_261_122 });
  for (const { path, init } of attempts) {
    const response = await fetch(`${url}${path}`, { ...init, headers });
    const text = await response.text();
    if (response.ok) answered += 1;
    if (text.includes(SECRET)) throw new Error(`${JSON.stringify({ path, ...init })} answered ${text}`);
  }
  // Neither all were refused for their form, nor was anything taken over.
  expect(answered).toBeGreaterThan(ATTEMPTS / 100);
  const { key: all } = await addKey(
    { name: 'all', scopes: ['read'] },
    { file: join(folder, 'keys.json'), clock: () => new Date() },
  );
  for (const [document, user] of [
    ['bob-1', 'bob'],
    ['bob-2', 'Ann'],
    ['bob-3', 'ann '],
  ] as const) {
    const address = `${url}/documents/${document}?user_id=${encodeURIComponent(user)}`;
    const { document: kept } = (await (
      await fetch(address, { headers: { authorization: `Bearer ${all}` } })
    ).json()) as {
      document: { content: string; tags: string[]; version: number };
    };
    expect(kept).toMatchObject({ content: expect.stringContaining(SECRET), tags: ['memory'], version: 1 });
  }
});
