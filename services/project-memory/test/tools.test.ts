import { silentLog } from '@contextloom/runtime';
import { connectInMemory, connectOverFetch, findUnfitSchemas, type TestClient } from '@contextloom/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createProjectMemoryServer } from '../src/build-server.ts';
import type { MemoryStore } from '../src/domain/store.ts';
import type { ToolNames } from '../src/operations/index.ts';
import { openEmbedded, type TestDatabase } from './support/databases.ts';
import { createArbiter, createMemory, NOW_S, openStore } from './support/memory.ts';

const NAMES = [
  'mem.ingest_memory',
  'mem.search',
  'mem.get',
  'mem.brief',
  'mem.timeline',
  'mem.list_projects',
  'mem.versions',
  'mem.delete',
  'mem.arbitrations',
  'mem.rollback_arbitration',
  'mem.link',
  'mem.unlink',
  'mem.links',
];

/** Of admins; they have the names that all servers give them. */
const OF_OPERATORS = ['forget_user', 'count_waiting', 'list_users', 'export_user', 'import_user'];

let opened: TestDatabase;
let store: MemoryStore;
beforeAll(async () => {
  opened = await openEmbedded();
  store = await openStore(opened);
});
afterAll(() => opened.close());

function build(toolNames: ToolNames = 'dotted') {
  const { memory, ownerId } = createMemory(store, { analyst: createArbiter('REPLACE') });
  const factory = createProjectMemoryServer({
    ownerId,
    toolNames,
    version: '0',
    log: silentLog,
    open: async () => memory,
  });
  return { factory, ownerId };
}

describe.each([
  ['in memory (2025-11-25)', connectInMemory],
  ['over fetch (2026-07-28)', connectOverFetch],
])('the tools of the project memory, %s', (_name, connect) => {
  let client: TestClient;
  let ownerId: string;
  beforeEach(async () => {
    const built = build();
    ownerId = built.ownerId;
    client = await connect(built.factory);
  });
  afterEach(() => client.close());

  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire brings
  const call = async (tool: string, args: Record<string, unknown>): Promise<any> => {
    const { isError, structured, text } = await client.callTool(tool, args);
    expect({ tool, isError, text }).toMatchObject({ isError: false });
    expect(JSON.parse(text)).toEqual(structured);
    return structured;
  };
  const refusal = async (tool: string, args: Record<string, unknown>): Promise<string> => {
    const { isError, text } = await client.callTool(tool, args);
    expect(isError).toBe(true);
    expect(text).not.toContain('\n');
    return text;
  };
  const note = { project_name: 'agent-mem', content_type: 'development', content: '向量存放在 pgvector 里。' };

  it('have titles, annotations and schemas that every client takes', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...NAMES, ...OF_OPERATORS]);
    for (const tool of tools) {
      expect(tool.title).toEqual(expect.any(String));
      expect(tool.annotations).toMatchObject({ readOnlyHint: expect.any(Boolean), openWorldHint: expect.any(Boolean) });
      expect(findUnfitSchemas(tool.inputSchema)).toEqual([]);
      expect(findUnfitSchemas(tool.outputSchema)).toEqual([]);
    }
  });

  it('find nothing where nothing fits, and say how near the best memory was', async () => {
    await call('mem.ingest_memory', { ...note, project_name: 'nothing-fits' });
    const ask = (query: string, more = {}) => call('mem.search', { query, project_name: 'nothing-fits', ...more });
    expect(await ask('Who wrote Moby-Dick?')).toEqual({
      results: [],
      metadata: { total: 0, returned: 0, next_action: 'use_ids_to_call_mem_get', nearest_score: 0 },
    });
    const { metadata } = await ask('pgvector 量子色动力学', { min_score: 0.9 });
    expect(metadata.nearest_score).toBeGreaterThan(0);
    expect(metadata.nearest_score).toBeLessThan(0.9);
    expect((await ask('pgvector 量子色动力学', { min_score: 0 })).results).toHaveLength(1);
  });

  it('take a memory in, find it and give it back, nulls and unknown arguments notwithstanding', async () => {
    const answer = await call('mem.ingest_memory', { ...note, owner_id: null, ts: null, colour: 'blue' });
    expect(answer).toEqual({ id: expect.stringMatching(/^mem_[0-9a-f]{32}$/), status: 'created', ts: NOW_S });
    const found = await call('mem.search', {
      query: '为什么用 pgvector',
      project_name: 'agent-mem',
      scope: 'development',
    });
    expect(found).toEqual({
      results: [
        {
          id: answer.id,
          snippet: note.content,
          content_type: 'development',
          score: expect.closeTo(0.9, 0),
          relevance: expect.closeTo(0.9, 0),
          ts: NOW_S,
          chunk_index: 0,
          total_chunks: 1,
        },
      ],
      metadata: { total: 1, returned: 1, next_action: 'use_ids_to_call_mem_get' },
    });
    expect(await call('mem.get', { ids: ['mem_gone', answer.id] })).toEqual({
      results: [
        {
          id: answer.id,
          content: note.content,
          content_type: 'development',
          summary: note.content,
          tags: expect.any(Array),
          ts: NOW_S,
        },
      ],
    });
    expect(await call('mem.timeline', {})).toMatchObject({ results: [{ id: answer.id, project_key: 'agent-mem' }] });
    expect(await call('mem.list_projects', { owner_id: ownerId })).toEqual({
      results: [
        {
          owner_id: ownerId,
          project_key: 'agent-mem',
          machine_name: null,
          project_path: null,
          project_name: 'agent-mem',
          memory_count: 1,
          latest_ts: NOW_S,
        },
      ],
      metadata: { returned: 1 },
    });
  });

  it('brief an agent on a project, and read the whole of what it names', async () => {
    const project = { project_name: 'briefed' };
    const said = 'Never push to main directly, and we use Fastify now.';
    const { id } = await call('mem.ingest_memory', { ...project, content_type: 'insight', content: said });
    const { text, counts, items } = await call('mem.brief', { ...project, include_items: true });
    expect(text).toMatch(
      /Rules:\n- Never push to main directly \(20\d\d-\d\d-\d\d mem_[0-9a-f]{8}\)\nDecisions:\n- we use Fast/,
    );
    expect(counts).toEqual({ rule: 1, decision: 1, open: 0, state: 0 });
    expect(await call('mem.get', { ids: [items[0].id] })).toMatchObject({ results: [{ id, content: said }] });
    expect(await call('mem.brief', { project_name: 'unknown' })).toMatchObject({ text: '' });
    expect(await refusal('mem.brief', {})).toContain('project_key is required');
  });

  it('list what happened page by page, in either order', async () => {
    for (let at = 0; at < 5; at += 1)
      await call('mem.ingest_memory', {
        ...note,
        project_name: 'pages',
        content: `Page ${at} of it`,
        ts: NOW_S - at * 60,
      });
    const read = async (order: string) => {
      const seen: string[] = [];
      for (let offset: number | undefined = 0; offset !== undefined; ) {
        const page = await call('mem.timeline', { project_name: 'pages', limit: 2, offset, order });
        seen.push(...page.results.map(({ summary }: { summary: string }) => summary));
        offset = page.metadata.next_offset;
      }
      return seen;
    };
    const pages = [0, 1, 2, 3, 4].map((at) => `Page ${at} of it`);
    expect(await read('newest')).toEqual(pages);
    expect(await read('oldest')).toEqual(pages.reverse());
  });

  it('replace, tell the history and take a replacement back', async () => {
    const { id } = await call('mem.ingest_memory', note);
    expect(await call('mem.ingest_memory', { ...note, content: `${note.content}！` })).toMatchObject({
      id,
      status: 'updated',
    });
    const { results } = await call('mem.arbitrations', { id });
    expect(results).toMatchObject([{ action: 'REPLACE', candidate_memory_id: id, model: 'scripted' }]);
    const [{ arbitration_id }] = results;
    expect(await call('mem.rollback_arbitration', { arbitration_id })).toEqual({
      arbitration_id,
      id,
      status: 'restored',
    });
    const versions = await call('mem.versions', { id });
    expect(versions.results.map(({ is_current }: { is_current: boolean }) => is_current)).toEqual([true, false, false]);
    expect(versions.results[0].content).toBe(note.content);
  });

  it('delete a memory: nothing finds it, its versions stay, and a text takes its place', async () => {
    const { id } = await call('mem.ingest_memory', note);
    const far = { ...note, project_name: 'tests', content: 'The test of the store counts its vectors.' };
    const { id: test } = await call('mem.ingest_memory', far);
    await call('mem.link', { from_id: test, to_id: id });
    expect(await call('mem.delete', { id })).toEqual({ id, deleted: true });
    expect(await refusal('mem.delete', { id })).toContain(`there is no memory ${id}`);
    expect(await call('mem.search', { query: '向量 pgvector', project_name: 'agent-mem' })).toMatchObject({
      results: [],
    });
    expect(await call('mem.get', { ids: [id] })).toEqual({ results: [] });
    expect(await call('mem.timeline', { project_name: 'agent-mem' })).toMatchObject({ results: [] });
    expect(await call('mem.links', { id: test })).toMatchObject({ results: [] });
    expect(await refusal('mem.link', { from_id: test, to_id: id })).toContain('there is no memory');
    const { results: projects } = await call('mem.list_projects', {});
    expect(projects).toContainEqual(expect.objectContaining({ project_name: 'agent-mem', memory_count: 0 }));
    const { results: versions } = await call('mem.versions', { id });
    expect(versions.map(({ content }: { content: string }) => content)).toEqual(['', note.content]);
    expect(await store.inspect()).toMatchObject({ torn: [], broken: [] });
    // The same text again is another memory; the deleted one comes back where it is named.
    expect(await call('mem.ingest_memory', note)).toMatchObject({ status: 'created' });
    const back = { ...note, content: '向量存放在 SQLite 里。', replaces: id };
    expect(await call('mem.ingest_memory', back)).toMatchObject({ id, status: 'updated' });
    expect(await call('mem.get', { ids: [id] })).toMatchObject({ results: [{ content: back.content }] });
    expect(await store.inspect()).toMatchObject({ torn: [], broken: [] });
  });

  it('read the past, and link', async () => {
    const { id } = await call('mem.ingest_memory', note);
    const far = { ...note, project_name: 'tests', content: 'The test of the store counts its vectors.' };
    const { id: test } = await call('mem.ingest_memory', far);
    const long_ago = 1_000_000_000;
    expect(await call('mem.search', { query: 'pgvector', as_of: long_ago })).toMatchObject({ results: [] });
    expect(await call('mem.get', { ids: [id], as_of: long_ago })).toEqual({ results: [] });
    const ends = { from_id: test, to_id: id, relation: 'tests' };
    expect(await call('mem.link', ends)).toEqual({ ...ends, status: 'created' });
    expect(await call('mem.links', { id })).toMatchObject({ id, results: [{ id: test, direction: 'incoming' }] });
    const shown = { id: test, relation: 'tests', direction: 'incoming', content_type: 'development' };
    const related = [{ ...shown, summary: far.content }];
    const found = await call('mem.search', { query: 'pgvector', project_name: 'agent-mem', include_related: true });
    expect(found.results).toMatchObject([{ id, related }]);
    expect(await call('mem.get', { ids: [id], include_related: true })).toMatchObject({ results: [{ id, related }] });
    expect(await call('mem.unlink', { from_id: test, to_id: id })).toEqual({ removed: 1 });
  });

  it.each([
    ['mem.search', { query: 'cat', as_of: 0 }, 'as_of must be a Unix time'],
    ['mem.link', { from_id: 'mem_a', to_id: 'mem_a' }, 'to_id must be another memory'],
    ['mem.link', { from_id: 'mem_a', to_id: 'mem_b', relation: 'likes' }, 'relation must be one of'],
    ['mem.link', { from_id: 'mem_a', to_id: 'mem_b' }, 'there is no memory mem_a'],
    ['mem.links', { id: 'mem_a' }, 'there is no memory mem_a'],
    ['mem.ingest_memory', { content_type: 'plan', content: 'x' }, 'project_key is required'],
    ['mem.ingest_memory', { project_name: 'p', content_type: 'story', content: 'x' }, 'content_type must be one of'],
    ['mem.ingest_memory', { project_name: 'p', content_type: 'plan', content: ' ' }, 'content must not be blank'],
    ['mem.ingest_memory', { project_name: 'p', content_type: 'plan', content: 'a\0b' }, 'content must not contain NUL'],
    [
      'mem.ingest_memory',
      { project_name: 'p', content_type: 'plan', content: '猫'.repeat(333_334) },
      '1,000,000 bytes',
    ],
    ['mem.ingest_memory', { project_name: 'p', content_type: 'plan', content: 'x', source: 'watcher' }, 'source'],
    [
      'mem.ingest_memory',
      { project_name: 'p', content_type: 'plan', content: 'x', ts: NOW_S + 601 },
      '10 minutes ahead',
    ],
    ['mem.search', { query: '猫' }, 'query must be 2 to 1000 characters'],
    ['mem.search', { query: 'cat', limit: 101 }, 'limit must be a whole number from 1 to 100'],
    ['mem.search', { query: 'cat', scope: 'stories' }, 'scope must be one of'],
    ['mem.timeline', { days: 3_651 }, 'days must be a whole number from 1 to 3650'],
    ['mem.get', { ids: [] }, 'ids must have 1 to 20 ids'],
    ['mem.versions', { id: 'mem_unknown' }, 'there is no memory mem_unknown'],
    ['mem.delete', { id: 'mem_unknown' }, 'there is no memory mem_unknown'],
    ['mem.rollback_arbitration', { arbitration_id: 999_999 }, 'arbitration 999999 is not known'],
  ])('%s refuses what is not allowed', async (tool, args, words) => {
    expect(await refusal(tool, args)).toContain(words);
  });

  it('refuse another owner, each of them', async () => {
    const args: Record<string, Record<string, unknown>> = {
      'mem.ingest_memory': note,
      'mem.search': { query: 'cat' },
      'mem.get': { ids: ['mem_a'] },
      'mem.versions': { id: 'mem_a' },
      'mem.delete': { id: 'mem_a' },
      'mem.rollback_arbitration': { arbitration_id: 1 },
      'mem.link': { from_id: 'mem_a', to_id: 'mem_b' },
      'mem.unlink': { from_id: 'mem_a', to_id: 'mem_b' },
      'mem.links': { id: 'mem_a' },
    };
    for (const name of NAMES) {
      expect(await refusal(name, { ...args[name], owner_id: 'somebody-else' })).toContain('ERR_OWNER_MISMATCH');
    }
  });
});

describe('what else the server offers', () => {
  it('names tools with underscores for models that take no dots', async () => {
    const client = await connectInMemory(build('underscore').factory);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...NAMES, ...OF_OPERATORS].map((name) => name.replace('.', '_')));
    expect(JSON.stringify(tools)).not.toContain('mem.');
    for (const language of ['en', 'zh']) {
      const guide = await client.getPrompt('agent-guide', { language });
      expect(guide).toContain('mem_search');
      expect(guide).not.toContain('mem.');
      expect(await client.readText(`agent-mem://guide/${language}`)).toBe(guide);
    }
    await client.close();
  });

  it('explains itself to agents in English and Chinese', async () => {
    const client = await connectInMemory(build().factory);
    expect(await client.getPrompt('agent-guide', { language: 'zh' })).toContain('五类中必须且只能选一类');
    expect(await client.readText('agent-mem://guide/en')).toContain('Exactly one of the five');
    await client.close();
  });
});
