import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Analyst, analyseByRules } from '../src/domain/ingest/analysis.ts';
import { toSameSubject } from '../src/domain/ingest/same-subject.ts';
import { toMemoryId } from '../src/domain/memory.ts';
import type { MemoryStore } from '../src/domain/store.ts';
import { engines, type TestDatabase } from './support/databases.ts';
import { createArbiter, createMemory, embedder, NOW_S, openStore } from './support/memory.ts';

const note = (content: string) => ({ project_name: 'agent-mem', content_type: 'development' as const, content });
/** What a server without a model has. */
const byRules: Analyst = { analyse: async (content) => analyseByRules(content) };
const sameSubject = toSameSubject(embedder.identity.provider);

describe.each(engines)('%s:', (_engine, openEngine) => {
  let opened: TestDatabase;
  let store: MemoryStore;
  beforeAll(async () => {
    opened = await openEngine();
    store = await openStore(opened);
  });
  afterAll(() => opened.close());

  describe('a text that is stored already', () => {
    it.each([
      ['without a model', { analyst: byRules }],
      ['with a model that would keep both', { analyst: createArbiter('KEEP_BOTH') }],
      ['while the embedder is out of reach', { embed: async () => undefined }],
    ])('is stored once, %s', async (_name, options) => {
      const { memory } = createMemory(store, options);
      const first = await memory.ingest({ ...note('缓存失效的原因是时钟漂移。'), ts: NOW_S - 50 });
      expect(await memory.ingest(note('缓存失效的原因是时钟漂移。'))).toEqual({
        id: first.id,
        status: 'skipped',
        ts: NOW_S - 50,
        candidates: [],
      });
      expect(await memory.projects(5)).toMatchObject([{ memoryCount: 1 }]);
    });

    it('is stored once by many at once', async () => {
      const { memory } = createMemory(store, { analyst: byRules });
      const answers = await Promise.all(Array.from({ length: 10 }, () => memory.ingest(note('Ships sail at noon.'))));
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      expect(answers.filter(({ status }) => status === 'created')).toHaveLength(1);
    });

    it('takes another type over, which can be undone', async () => {
      const { memory } = createMemory(store, { analyst: byRules });
      const { id } = await memory.ingest({ ...note('Uploads end at 10 MB.'), content_type: 'requirement' });
      expect(await memory.ingest(note('Uploads end at 10 MB.'))).toMatchObject({ id, status: 'updated' });
      expect(await memory.get([id])).toMatchObject([{ contentType: 'development' }]);
      const [logged] = await memory.arbitrations({ id }, 5);
      await memory.rollback(logged?.id ?? 0);
      expect(await memory.get([id])).toMatchObject([{ contentType: 'requirement' }]);
    });

    it('is one for each project', async () => {
      const { memory } = createMemory(store, { analyst: byRules });
      const here = await memory.ingest(note('Tides turn at six.'));
      const there = await memory.ingest({ ...note('Tides turn at six.'), project_name: 'other' });
      expect(there).toMatchObject({ status: 'created' });
      expect(there.id).not.toBe(here.id);
    });

    it('is told as created to whoever stores it again after the answer was lost', async () => {
      const content = { ...note('Pilots read tables.'), contentType: 'development' as const, ts: NOW_S };
      const change = {
        project: { ownerId: `owner-${randomUUID()}`, key: 'p' },
        newId: toMemoryId(randomUUID()),
        content: { ...content, summary: 'Pilots.', tags: [], fragments: [{ content: content.content }] },
        threshold: 0.85,
      };
      const first = await store.commit(change);
      expect(first).toMatchObject({ status: 'created', id: change.newId });
      expect(await store.commit(change)).toEqual(first);
    });
  });

  describe('a changed decision', () => {
    const OLD = 'The API is built with Fastify, because its plugins are typed and it is fast enough.';
    const NEW = 'We moved the API from Fastify to Hono, since it runs on the edge as well.';
    const OTHER = 'Invoices are rounded per line.';

    it('is put to the model, which replaces the old one', async () => {
      const { memory } = createMemory(store, { analyst: createArbiter('REPLACE'), sameSubject });
      const { id } = await memory.ingest(note(OLD));
      expect(await memory.ingest(note(OTHER))).toMatchObject({ status: 'created' });
      expect(await memory.ingest(note(NEW))).toMatchObject({ id, status: 'updated', candidates: [] });
    });

    it('is answered with the old one as a candidate where there is no model', async () => {
      const { memory } = createMemory(store, { analyst: byRules, sameSubject });
      const { id } = await memory.ingest(note(OLD));
      expect(await memory.ingest(note(OTHER))).toMatchObject({ status: 'created', candidates: [] });
      const { candidates, status } = await memory.ingest(note(NEW));
      expect({ status, candidates }).toMatchObject({
        status: 'created',
        candidates: [{ id, summary: OLD, contentType: 'development' }],
      });
      expect(await memory.arbitrations({ id }, 5)).toMatchObject([{ action: 'KEEP_BOTH', candidateId: id }]);
    });

    it('takes the place of the candidate that the caller names, and is stored once', async () => {
      const { memory } = createMemory(store, { analyst: byRules, sameSubject });
      const { id } = await memory.ingest(note(OLD));
      const second = await memory.ingest(note(NEW));
      expect(await memory.ingest({ ...note(NEW), replaces: id })).toMatchObject({ id, status: 'updated' });
      // Once more: the answer was lost.
      expect(await memory.ingest({ ...note(NEW), replaces: id })).toMatchObject({ id, status: 'skipped' });
      expect(await memory.get([id, second.id])).toMatchObject([{ id, content: NEW }]);
      expect((await memory.versions(id)).map(({ content }) => content)).toEqual([NEW, OLD]);
      expect(await store.inspect()).toMatchObject({ torn: [], broken: [] });
      const [logged] = await memory.arbitrations({ id }, 5);
      expect(await memory.rollback(logged?.id ?? 0)).toMatchObject({ id, status: 'restored' });
      expect(await memory.get([id])).toMatchObject([{ content: OLD }]);
    });

    it('replaces nothing of another project, owner or history', async () => {
      const { memory } = createMemory(store, { analyst: byRules, sameSubject });
      const { memory: stranger } = createMemory(store, { analyst: byRules, sameSubject });
      const { id } = await memory.ingest(note(OLD));
      const refused = { code: 'not_found', field: 'replaces' };
      await expect(stranger.ingest({ ...note(NEW), replaces: id })).rejects.toMatchObject(refused);
      await expect(memory.ingest({ ...note(NEW), project_name: 'other', replaces: id })).rejects.toMatchObject(refused);
      const other = await memory.ingest(note(OTHER));
      await memory.ingest({ ...note(NEW), replaces: other.id });
      await expect(memory.ingest({ ...note(NEW), replaces: id })).rejects.toMatchObject({ code: 'conflict' });
      expect(await memory.get([id, other.id])).toMatchObject([{ content: OLD }, { content: NEW }]);
    });

    it('has no candidates where a model ruled that both stay', async () => {
      const { memory } = createMemory(store, { analyst: createArbiter('KEEP_BOTH'), sameSubject });
      await memory.ingest(note(OLD));
      expect(await memory.ingest(note(NEW))).toMatchObject({ status: 'created', candidates: [] });
    });
  });

  it('shows equally good hits newest first, whatever their ids', async () => {
    const scale = { cosine: { none: -1, full: 1 } };
    // A model that takes whatever is asked for the same.
    const embedQuery = async () => (await embedder.embed(['Tides turn.']))[0];
    const { memory } = createMemory(store, { analyst: createArbiter('KEEP_BOTH'), scale, embedQuery });
    const ids: string[] = [];
    for (let at = 0; at < 8; at += 1) {
      // The same words in each, and so the same vector.
      const project_name = `p${at}`;
      ids.unshift((await memory.ingest({ ...note('Tides turn at six.'), project_name, ts: NOW_S - 100 + at })).id);
    }
    const search = async (query: string) =>
      (await memory.search({ query, scope: 'all', limit: 20 })).results.map(({ id }) => id);
    expect(await search('tides')).toEqual(ids);
    expect(await search('something else')).toEqual(ids);
  });
});
