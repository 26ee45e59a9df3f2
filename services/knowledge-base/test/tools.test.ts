import { silentLog } from '@contextloom/runtime';
import { connectInMemory, connectOverFetch, findUnfitSchemas, type TestClient } from '@contextloom/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createKnowledgeBaseServer } from '../src/build-server.ts';
import { openTemporary, type TemporaryKnowledgeBase } from './support/service.ts';

let temporary: TemporaryKnowledgeBase;
beforeAll(async () => {
  temporary = await openTemporary();
});
afterAll(() => temporary.remove());

const build = () => createKnowledgeBaseServer({ knowledgeBase: temporary.knowledgeBase, version: '0', log: silentLog });

describe.each([
  ['in memory (2025-11-25)', connectInMemory],
  ['over fetch (2026-07-28)', connectOverFetch],
])('the tools of the knowledge base, %s', (name, connect) => {
  let client: TestClient;
  beforeEach(async () => {
    client = await connect(build());
  });
  afterEach(() => client.close());

  // Both transports work on one store: a tag of their own keeps their documents apart.
  const tag = name;
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

  it('have each a title, a short description, four annotations and both schemas', async () => {
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual([
      'add_document',
      'search_documents',
      'get_stats',
      'add_documents',
      'get_document',
      'update_document',
      'delete_document',
      'list_documents',
      'follow_change',
      'forget_user',
      'count_waiting',
      'list_users',
      'export_user',
      'import_user',
    ]);
    for (const tool of tools) {
      expect(tool.title).toEqual(expect.any(String));
      expect(tool.description?.length).toBeLessThan(400);
      expect(tool.annotations).toMatchObject({
        readOnlyHint: expect.any(Boolean),
        destructiveHint: expect.any(Boolean),
        idempotentHint: expect.any(Boolean),
        openWorldHint: false,
      });
      expect(tool.outputSchema).toBeDefined();
    }
  });

  it('advertise no boolean, empty or open schema anywhere', async () => {
    const { tools } = await client.listTools();
    for (const tool of tools) {
      expect(findUnfitSchemas(tool.inputSchema)).toEqual([]);
      expect(findUnfitSchemas(tool.outputSchema)).toEqual([]);
    }
  });

  it('say of every argument what it is', async () => {
    const { tools } = await client.listTools();
    for (const tool of tools) {
      const properties = Object.entries(tool.inputSchema.properties ?? {});
      for (const [key, schema] of properties) {
        expect(Object.assign({ tool: tool.name, key }, schema)).toHaveProperty('description');
      }
    }
  });

  it('store, find, read, change, list, count and delete a document', async () => {
    const doc_id = `walk ${name}`;
    const document = { doc_id, content: '小明每天早上散步', tags: [tag], metadata: { importance: 7 } };
    expect(await call('add_document', document)).toEqual({
      success: true,
      document_id: doc_id,
      message: expect.any(String),
    });
    const found = { id: doc_id, content: document.content, tags: [tag], metadata: { importance: 7 } };
    const { results } = await call('search_documents', { query: '散步', tags: [tag] });
    expect(results).toEqual([{ ...found, score: expect.any(Number), relevance: 1, document: found }]);
    const { document: read } = await call('get_document', { doc_id });
    expect(read).toMatchObject({ ...found, version: 1 });
    const { document: changed } = await call('update_document', { doc_id, metadata: { place: '公园' }, version: 1 });
    expect(changed).toMatchObject({ metadata: { importance: 7, place: '公园' }, version: 2 });
    expect(await call('list_documents', { tags: [tag] })).toMatchObject({ total: 1, documents: [{ id: doc_id }] });
    const { total } = await call('list_documents', {});
    expect((await call('get_stats', {})).stats).toMatchObject({
      document_count: total,
      tags: expect.arrayContaining([tag]),
    });
    expect((await call('get_stats', { user_id: 'somebody' })).stats).toMatchObject({ document_count: 0, tags: [] });
    const { document: keyed } = await call('update_document', { doc_id, keys: ['the name of the park'] });
    expect(keyed).toMatchObject({ keys: ['the name of the park'], version: 3 });
    expect(await refusal('delete_document', { doc_id, version: 1 })).toMatch(/version/);
    expect(await call('delete_document', { doc_id })).toEqual({ success: true, message: expect.any(String) });
    expect(await refusal('get_document', { doc_id })).toContain(doc_id);
  });

  it('store several documents, all or none', async () => {
    const batch = [
      { content: 'one', tags: [tag] },
      { content: 'two', tags: [tag], doc_id: null },
    ];
    const { document_ids } = await call('add_documents', { documents: batch });
    expect(document_ids).toHaveLength(2);
    const bad = [
      { content: 'three', tags: ['bad batch'] },
      { content: 'four', tags: [7] },
    ];
    expect(await refusal('add_documents', { documents: bad })).toMatch(/^documents\[1\]\.tags\[0\] must be string/);
    expect((await call('list_documents', { tags: ['bad batch'] })).total).toBe(0);
  });

  it('count explicit nulls as absent and ignore unknown arguments', async () => {
    const nulls = { doc_id: null, tags: null, metadata: null, mood: 'happy' };
    const { document_id } = await call('add_document', { content: 'nulls and more', ...nulls });
    const filter = {
      tags: null,
      tags_all: null,
      tags_any: null,
      priority_tags: null,
      metadata_filter: null,
      top_k: null,
    };
    const { results } = await call('search_documents', { query: 'nulls', user_id: null, ...filter });
    expect(results.map(({ id }: { id: string }) => id)).toContain(document_id);
  });

  it('explain results when they are asked to, and only then', async () => {
    const doc_id = `explained ${name}`;
    await call('add_document', { doc_id, content: '小红对花生过敏', tags: [tag, 'peanuts'] });
    const query = { query: '花生', tags: [tag, 'peanuts'] };
    const { results } = await call('search_documents', { ...query, explain: true });
    expect(results).toMatchObject([
      {
        id: doc_id,
        document: { id: doc_id },
        explain: {
          words: { rank: 1, score: expect.any(Number), terms: ['花生'] },
          vector: { rank: 1, score: expect.any(Number) },
          fused: 1,
          score: 1,
        },
        snippet: { text: '小红对花生过敏', ranges: [[3, 5]] },
      },
    ]);
    for (const explain of [false, null]) {
      const [plain] = (await call('search_documents', { ...query, explain })).results;
      expect(Object.keys(plain).sort()).toEqual([
        'content',
        'document',
        'id',
        'metadata',
        'relevance',
        'score',
        'tags',
      ]);
    }
    expect(await refusal('search_documents', { ...query, explain: 'yes' })).toMatch(/^explain must be boolean/);
  });

  it('reach a user’s document only in that user’s name', async () => {
    const doc_id = `ann ${name}`;
    await call('add_document', { doc_id, content: 'Ann sings', metadata: { user_id: 'ann' } });
    for (const user_id of [undefined, 'bob']) {
      const args = { doc_id, ...(user_id !== undefined && { user_id }) };
      expect(await refusal('get_document', args)).toContain('no document');
      expect(await refusal('update_document', { ...args, content: 'x' })).toContain('no document');
      expect(await refusal('delete_document', args)).toContain('no document');
    }
    const hijack = { doc_id, content: 'Bob sings', metadata: { user_id: 'bob' } };
    expect(await refusal('add_document', hijack)).not.toContain('ann sings');
    expect((await call('get_document', { doc_id, user_id: 'ann' })).document.content).toBe('Ann sings');
  });

  it('refuse a wrong argument in one line that names it', async () => {
    expect(await refusal('search_documents', {})).toMatch(/^query is required/);
    expect(await refusal('search_documents', { query: 'x', top_k: 500 })).toMatch(/^top_k must be at most 100/);
    expect(await refusal('get_document', {})).toMatch(/^doc_id is required/);
    const filter = { n: { $regex: 'x' } };
    expect(await refusal('search_documents', { query: 'x', metadata_filter: filter })).toMatch(
      /^metadata_filter\.n\.\$regex/,
    );
  });
});
