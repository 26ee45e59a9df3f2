import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MemoryStore } from '../src/domain/store.ts';
import { openEmbedded, type TestDatabase } from './support/databases.ts';
import { serve, type TestHttp } from './support/http.ts';
import { createArbiter, createMemory, NOW_S, openStore } from './support/memory.ts';

let opened: TestDatabase;
let store: MemoryStore;
let http: TestHttp;
beforeAll(async () => {
  opened = await openEmbedded();
  store = await openStore(opened);
  const { memory, ownerId } = createMemory(store, { analyst: createArbiter('SKIP') });
  http = await serve(memory, ownerId);
  const project_name = 'a "quoted" <project>';
  await memory.ingest({ project_name, content_type: 'plan', content: 'Release in May.', ts: NOW_S - 86_400 });
  await memory.ingest({ project_name, content_type: 'insight', content: '<script>alert(1)</script> & 缓存' });
  await memory.ingest({ project_name, content_type: 'development', content: 'Bricks are cached.', ts: 86_400 });
  await memory.ingest({ project_name, content_type: 'plan', content: 'Release in May!' });
  const { memory: other } = createMemory(store);
  await other.ingest({ project_name, content_type: 'plan', content: 'A secret of somebody else.' });
});
afterAll(async () => {
  await http.close();
  await opened.close();
});

const read = async (path: string, query: Record<string, string> = {}) => {
  const response = await fetch(`${http.url}${path}?${new URLSearchParams(query)}`);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};
const project = { project_name: 'a "quoted" <project>' };
/** The subjects in the order of a page. */
const subjectsOf = (html: string) =>
  [...html.matchAll(/<td>(\w+)<\/td><td><a [^>]*>([^<]*)</g)].map(([, , text]) => text);

describe('the page of a project', () => {
  it('lists its subjects, the latest first, however old, and escapes all that is not its own', async () => {
    const { status, type, text } = await read('/projects/index', project);
    expect([status, type]).toEqual([200, 'text/html; charset=utf-8']);
    expect(subjectsOf(text)).toEqual([
      '&lt;script&gt;alert(1)&lt;/script&gt; &amp; 缓存',
      'Release in May.',
      'Bricks are cached.',
    ]);
    expect(text).toContain('<h1>a &quot;quoted&quot; &lt;project&gt;</h1>');
    expect(text).toContain('3 subjects, the latest of 2026-03-01.');
    expect(text).not.toMatch(/<script|<project>|somebody else/);
  });

  it.each([
    ['subject', ['&lt;script', 'Bricks', 'Release']],
    ['type', ['Bricks', '&lt;script', 'Release']],
  ])('sorts by %s', async (sort, begins) => {
    const subjects = subjectsOf((await read('/projects/index', { ...project, sort })).text);
    expect(subjects.map((subject, at) => subject?.startsWith(begins[at] ?? '?'))).toEqual([true, true, true]);
  });

  it('leads to whole texts and to all projects', async () => {
    const { text } = await read('/projects/index', project);
    const [, link = ''] = /href="(\/memories\?[^"]+)"/.exec(text) ?? [];
    expect(await (await fetch(`${http.url}${link}`)).json()).toMatchObject({
      results: [{ content: expect.any(String) }],
    });
    const all = await read('/projects/index');
    const [, back = ''] = /href="(\/projects\/index\?[^"]+)"/.exec(all.text) ?? [];
    expect(subjectsOf(await (await fetch(`${http.url}${back.replaceAll('&amp;', '&')}`)).text())).toHaveLength(3);
  });

  it('counts one subject as one', async () => {
    await http.request('POST', '/ingest/memory', { project_name: 'solo', content_type: 'plan', content: 'Alone.' });
    const { text } = await read('/projects/index', { project_name: 'solo' });
    expect(text).toContain('1 subject, the latest of');
  });

  it('is empty for an unknown project, and refuses what it does not know', async () => {
    expect((await read('/projects/index', { project_key: 'none' })).text).toContain('Nothing is stored here.');
    expect((await read('/projects/index', { sort: 'colour' })).status).toBe(400);
    expect((await read('/projects/index', { owner_id: 'eve' })).status).toBe(403);
  });
});

describe('the metrics', () => {
  it('count what is stored of the owner, and what calls did', async () => {
    await fetch(`${http.url}/memories/search?query=release`);
    const { type, text } = await read('/metrics');
    expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
    const lines = text.split('\n');
    for (const line of [
      'project_memory_projects 2',
      'project_memory_memories{project_key="a \\"quoted\\" <project>",content_type="insight"} 1',
      'project_memory_memories{project_key="a \\"quoted\\" <project>",content_type="plan"} 1',
      'project_memory_arbitrations{action="SKIP"} 1',
      'project_memory_pending_embeddings 0',
      'project_memory_operation_seconds_count{operation="search",outcome="ok"} 1',
    ])
      expect(lines).toContain(line);
    expect((await read('/metrics', { owner_id: 'eve' })).status).toBe(403);
  });

  it('count ingests by what became of them, and failures', async () => {
    const note = { ...project, content_type: 'plan', content: 'Release in May.' };
    await http.request('POST', '/ingest/memory', note);
    await http.request('POST', '/ingest/memory', { ...note, content: ' ' });
    const { text } = await read('/metrics');
    expect(text).toContain('project_memory_ingests_total{status="skipped"} 1');
    expect(text).toContain('project_memory_operation_seconds_count{operation="ingest",outcome="error"} 1');
  });
});
