import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type JsonObject, listRequestSchema, searchRequestSchema } from '@contextloom/contracts';
import { describe, expect, it } from '@jest/globals';
import { createKnowledgeBase } from '../src/domain/local-knowledge-base.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { openTemporary } from './support/service.ts';
import { embedder } from './support/stores.ts';

describe.each([{}, { user_id: null }])('a document with the owner %j', (metadata) => {
  it.each(['strict', 'off'] as const)(
    'never matches a condition on it, whatever it asks (isolation %s)',
    async (isolation) => {
      const { knowledgeBase: kb, remove } = await openTemporary(isolation);
      await kb.add([{ doc_id: 'nobody', content: 'tea', tags: [], metadata }]);
      const operands = { eq: 'ann', ne: 'ann', in: ['ann', null], nin: ['ann'], gt: 0, lte: '2024-01-01' };
      for (const [operator, operand] of Object.entries(operands)) {
        const filter = { metadata_filter: { user_id: { [operator]: operand } } };
        expect(await kb.search(searchRequestSchema.parse({ query: 'tea', ...filter }))).toEqual([]);
        expect((await kb.list(listRequestSchema.parse(filter))).total).toBe(0);
      }
      expect(await kb.search(searchRequestSchema.parse({ query: 'tea' }))).toHaveLength(1);
      await remove();
    },
  );
});

describe('isolation off', () => {
  it('shows everybody’s documents to every call, and replaces under any id, as the original did', async () => {
    const { knowledgeBase: kb, remove } = await openTemporary('off');
    await kb.add([{ doc_id: 'a', content: 'tea', tags: [], metadata: { user_id: 'ann' } }]);
    expect(await kb.search(searchRequestSchema.parse({ query: 'tea' }))).toHaveLength(1);
    expect((await kb.get({ id: 'a' })).content).toBe('tea');
    await kb.add([{ doc_id: 'a', content: 'rice', tags: [], metadata: { user_id: 5 } }]);
    expect(await kb.update({ id: 'a' }, { metadata: { user_id: 'bob' } })).toMatchObject({ version: 3 });
    await remove();
  });

  it('leaves nothing behind that a strict call takes for its own', async () => {
    const { knowledgeBase: off, dataDir, remove } = await openTemporary('off');
    const odd: readonly JsonObject[] = [{ user_id: 5 }, { user_id: '5' }, { user_id: ['5'] }, { user_id: true }];
    await off.add(odd.map((metadata, at) => ({ doc_id: `d-${at}`, content: 'tea', tags: [], metadata })));
    const store = await openSqliteStore({
      file: join(dataDir, 'knowledge-base.sqlite'),
      embedder: embedder.identity,
    });
    const strict = createKnowledgeBase({
      store,
      embedder,
      isolation: 'strict',
      clock: () => new Date(),
      newId: randomUUID,
    });
    const list = async (request: object) =>
      (await strict.list(listRequestSchema.parse(request))).documents.map(({ id }) => id);
    expect(await list({})).toEqual([]);
    expect(await list({ user_id: '5' })).toEqual(['d-1']);
    expect(await list({ metadata_filter: { user_id: 5 } })).toEqual([]);
    await strict.close();
    await remove();
  });
});
