import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MemoryStore } from '../src/domain/store.ts';
import { openEmbedded, openOverTcp, openPlainPostgres, openPostgres, type TestDatabase } from './support/databases.ts';
import { createArbiter, createMemory, embedder, NOW_S, openStore } from './support/memory.ts';

const project_name = 'agent-mem';
const note = (content: string) => ({ project_name, content_type: 'development' as const, content });
const LONG = Array.from(
  { length: 120 },
  (_, at) => `Paragraph ${at} speaks of the station ${at * 7} and its tides.`,
).join('\n\n');

/** A model that takes whatever is asked for something about deadlocks. */
const ofDeadlocks = {
  scale: { cosine: { none: 0, full: 1 } },
  embedQuery: async () => (await embedder.embed(['Deadlocks of workers, rows in order; 时钟漂移']))[0],
};

describe.each([
  ['SQLite', openEmbedded, undefined],
  ['Postgres', openPlainPostgres, 'plain'],
  ['Postgres with pgvector, over TCP', openOverTcp, 'plain'],
  ['tables partitioned by owner', openPostgres, 'partitioned'],
] as const)('a store on %s', (_name, open, layout) => {
  let opened: TestDatabase;
  let store: MemoryStore;
  beforeAll(async () => {
    opened = await open();
    store = await openStore(opened, layout);
  });
  afterAll(() => opened.close());

  it('gives back what was stored, in the order asked, without what there is not', async () => {
    const { memory } = createMemory(store);
    const first = await memory.ingest({ ...note('我们选择 pgvector，因为团队已经在用 PostgreSQL。'), ts: NOW_S - 50 });
    const second = await memory.ingest(note('The queue is drained by one worker a shard.'));
    const read = await memory.get([second.id, 'mem_unknown', first.id]);
    expect(read.map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(read[1]).toMatchObject({
      content: '我们选择 pgvector，因为团队已经在用 PostgreSQL。',
      contentType: 'development',
      ts: NOW_S - 50,
      projectKey: project_name,
    });
  });

  it('finds by words in Chinese and English, and keeps what only vectors find', async () => {
    const { memory } = createMemory(store, ofDeadlocks);
    const chinese = await memory.ingest(note('缓存失效的原因是时钟漂移，改用单调时钟后恢复。'));
    const english = await memory.ingest(note('Deadlocks came from two workers that locked rows in different order.'));
    const search = (query: string) => memory.search({ project_name, query, scope: 'all', limit: 10 });
    expect((await search('时钟漂移')).results[0]?.id).toBe(chinese.id);
    expect((await search('deadlock')).results[0]?.id).toBe(english.id);
    expect((await search('时钟漂移')).results.map(({ id }) => id)).toContain(english.id);
  });

  it('scores higher what both lists lead with than what only vectors find, however little else there is', async () => {
    const { memory } = createMemory(store, ofDeadlocks);
    await memory.ingest(note('缓存失效的原因是时钟漂移，改用单调时钟后恢复。'));
    const best = async (query: string) =>
      (await memory.search({ project_name, query, scope: 'all', limit: 10 })).results[0]?.score;
    const both = (await best('时钟漂移')) ?? 0;
    expect(both).toBeGreaterThan(0.8);
    expect(await best('reindeer')).toBeLessThan(both);
    const { memory: wordless } = createMemory(store, { embedQuery: async () => undefined });
    const { id } = await wordless.ingest(note('Deadlocks came from two workers.'));
    const found = await wordless.search({ query: 'deadlock', scope: 'all', limit: 10 });
    expect(found).toMatchObject({ without: ['vectors'], results: [{ id, score: 1 }] });
  });

  it('shows one fragment of a long memory, which does not crowd out others', async () => {
    const { memory } = createMemory(store);
    const long = await memory.ingest(note(LONG));
    const short = await memory.ingest(note('Station keeping, in short.'));
    const { results } = await memory.search({ project_name, query: 'station 693', scope: 'all', limit: 5 });
    expect(results.map(({ id }) => id).sort()).toEqual([long.id, short.id].sort());
    const hit = results.find(({ id }) => id === long.id);
    expect(hit?.snippet).toContain('693');
    expect(hit?.total_chunks).toBeGreaterThan(2);
    expect(hit?.chunk_index).toBeGreaterThan(0);
  });

  it('narrows to project and type, and knows nothing of an unknown project', async () => {
    const { memory } = createMemory(store);
    const text = 'Release trains leave on Tuesdays.';
    const here = await memory.ingest(note(text));
    await memory.ingest({ ...note(text), project_name: 'other' });
    const plan = await memory.ingest({ ...note('Release plan: trains on Tuesdays.'), content_type: 'plan' });
    const ids = async (project: string | undefined, scope: 'all' | 'plan') => {
      const asked = {
        query: 'release trains',
        scope,
        limit: 10,
        ...(project !== undefined && { project_name: project }),
      };
      return (await memory.search(asked)).results.map(({ id }) => id);
    };
    expect(await ids(project_name, 'plan')).toEqual([plan.id]);
    expect(await ids(project_name, 'all')).toContain(here.id);
    expect(await ids(undefined, 'all')).toHaveLength(3);
    expect(await ids('nowhere', 'all')).toEqual([]);
    expect(await memory.timeline({ project_key: 'nowhere' }, 7, { limit: 10 })).toEqual([]);
  });

  it('finds a project that has a key by its name', async () => {
    const { memory } = createMemory(store);
    const { id } = await memory.ingest({ ...note('Keys outlive names.'), project_key: 'git@host:a/b' });
    const search = (named: object) => memory.search({ ...named, query: 'keys names', scope: 'all', limit: 5 });
    expect((await search({ project_name })).results[0]?.id).toBe(id);
    expect((await search({ project_key: 'git@host:a/b' })).results[0]?.id).toBe(id);
    expect((await search({ project_key: project_name })).results).toEqual([]);
  });

  it('replaces with the old id across types, and keeps versions and verdicts', async () => {
    const { memory } = createMemory(store, { analyst: createArbiter('REPLACE') });
    const text = 'Uploads are limited to 10 MB for every user of the service.';
    const old = await memory.ingest({ ...note(text), content_type: 'requirement' });
    const answer = await memory.ingest(note(`${text} Since May.`));
    expect(answer).toEqual({ id: old.id, status: 'updated', ts: NOW_S, candidates: [] });
    expect(await memory.get([old.id])).toMatchObject([{ contentType: 'development', content: `${text} Since May.` }]);
    const versions = await memory.versions(old.id);
    expect(versions.map(({ revision, contentType }) => [revision, contentType])).toEqual([
      [2, 'development'],
      [1, 'requirement'],
    ]);
    expect(versions[1]?.replacedAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const [logged] = await memory.arbitrations({ id: old.id }, 10);
    expect(logged).toMatchObject({ action: 'REPLACE', candidateId: old.id, newId: old.id, model: 'scripted' });
    expect(logged?.similarity).toBeGreaterThanOrEqual(0.85);
  });

  it('rolls a replacement back once, and loses neither state', async () => {
    const { memory } = createMemory(store, { analyst: createArbiter('REPLACE') });
    const text = 'Sessions end after thirty minutes without a request of the user.';
    const { id } = await memory.ingest(note(text));
    await memory.ingest(note(`${text} Or sixty.`));
    await memory.ingest(note(`${text} Or ninety.`));
    const [last, first] = await memory.arbitrations({ id }, 10);
    const [lastId, firstId] = [last?.id ?? 0, first?.id ?? 0];
    await expect(memory.rollback(firstId)).rejects.toMatchObject({ code: 'conflict' });
    expect(await memory.rollback(lastId)).toEqual({ id, status: 'restored' });
    await expect(memory.rollback(lastId)).rejects.toMatchObject({ code: 'conflict' });
    expect(await memory.get([id])).toMatchObject([{ content: `${text} Or sixty.` }]);
    const contents = (await memory.versions(id)).map(({ content }) => content.slice(text.length));
    expect(contents).toEqual([' Or sixty.', ' Or ninety.', ' Or sixty.', '']);
    expect((await memory.search({ query: 'sessions sixty', scope: 'all', limit: 5 })).results[0]?.snippet).toContain(
      'sixty',
    );
  });

  it('restores the vectors with the state, so that the next one on the subject meets it', async () => {
    const { memory } = createMemory(store, { analyst: createArbiter('REPLACE') });
    const text = 'The gateway keeps at most two hundred connections open for every tenant.';
    const { id } = await memory.ingest(note(text));
    await memory.ingest(note(`${text} Or three hundred.`));
    const [last] = await memory.arbitrations({ id }, 1);
    await memory.rollback(last?.id ?? 0);
    expect((await store.inspect()).pending).toBe(0);
    expect(await memory.ingest(note(`${text} Again.`))).toMatchObject({ id, status: 'updated' });
  });

  it('shows and finds memories as they were at a time', async () => {
    const { memory } = createMemory(store, { analyst: createArbiter('REPLACE') });
    const text = 'Invoices are archived for the auditors of the finance department for';
    const { id } = await memory.ingest(note(`${text} seven years.`));
    const daysAgo = (days: number) => Date.now() / 1_000 - days * 86_400;
    await opened.database.query('update memories set updated_at = to_timestamp($2) where id = $1', [id, daysAgo(9)]);
    await memory.ingest({ ...note(`${text} ten years.`), content_type: 'plan' });
    const newer = await memory.ingest({ ...note('Invoices, auditors: a memory of today.'), project_name: 'other' });
    const at = async (as_of?: number) => {
      const { results } = await memory.search({ query: 'invoices auditors years', scope: 'all', limit: 5, as_of });
      return results.map((hit) => [hit.id, hit.content_type, /\w+ years/.exec(hit.snippet)?.[0]]);
    };
    expect(await at(Math.floor(daysAgo(1)))).toEqual([[id, 'development', 'seven years']]);
    expect(await at(Math.floor(daysAgo(1)) * 1_000)).toEqual([[id, 'development', 'seven years']]);
    expect(await at(daysAgo(10))).toEqual([]);
    expect(await at(daysAgo(-1))).toEqual(await at());
    expect((await at())[0]).toEqual([id, 'plan', 'ten years']);
    const read = await memory.get([newer.id, id], Math.floor(daysAgo(1)));
    expect(read).toMatchObject([{ id, content: `${text} seven years.`, contentType: 'development' }]);
    expect(await memory.get([id], daysAgo(10))).toEqual([]);
    const versions = await memory.search({ query: 'invoices seven', scope: 'plan', limit: 5, as_of: daysAgo(1) });
    expect(versions.results).toEqual([]);
  });

  it('links memories, shows what is linked and near, and removes links', async () => {
    const { memory } = createMemory(store);
    const text = 'Passwords are hashed with argon2id before they are stored in the accounts table';
    const design = await memory.ingest(note(`${text}.`));
    const near = await memory.ingest(note(`${text}, with a salt.`));
    const check = await memory.ingest({ ...note('登录测试覆盖错误的口令。'), project_name: 'tests' });
    const link = { fromId: check.id, toId: design.id, relation: 'tests' as const };
    expect([await memory.link(link), await memory.link(link)]).toEqual(['created', 'exists']);
    await memory.link({ ...link, relation: 'relates_to' });
    const incoming = { ofId: design.id, id: check.id, relation: 'tests', direction: 'incoming' };
    expect(await memory.links(design.id)).toMatchObject([incoming, { ...incoming, relation: 'relates_to' }]);
    expect(await memory.links(check.id)).toMatchObject([{ id: design.id, direction: 'outgoing' }, {}]);
    expect(await memory.links(near.id)).toEqual([]);
    expect(await memory.relatedTo([near.id, design.id], 'linked alone')).toHaveLength(2);
    const related = await memory.relatedTo([design.id], 'with nearest');
    expect(related.map(({ id, relation }) => [id, relation])).toEqual([
      [check.id, 'tests'],
      [check.id, 'relates_to'],
      [near.id, 'similar'],
    ]);
    await memory.link({ fromId: design.id, toId: near.id, relation: 'explains' });
    expect((await memory.relatedTo([design.id], 'with nearest')).filter(({ id }) => id === near.id)).toHaveLength(1);
    expect(await memory.unlink({ ...link, relation: 'contradicts' })).toBe(0);
    expect(await memory.unlink(link)).toBe(1);
    expect(await memory.unlink({ fromId: check.id, toId: design.id })).toBe(1);
    expect(await memory.links(check.id)).toEqual([]);
    await expect(memory.link({ ...link, toId: check.id })).rejects.toMatchObject({ code: 'invalid' });
    await expect(memory.link({ ...link, toId: 'mem_none' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(memory.links('mem_none')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('logs what is skipped, and can bring it back', async () => {
    const { memory } = createMemory(store, { analyst: createArbiter('SKIP') });
    const text = 'Backups run at three in the morning on every node.';
    const { id } = await memory.ingest(note(text));
    const again = await memory.ingest({ ...note(`${text} Really.`), ts: NOW_S - 9 });
    expect(again).toEqual({ id, status: 'skipped', ts: NOW_S, candidates: [] });
    const [logged] = await memory.arbitrations({}, 10);
    const back = await memory.rollback(logged?.id ?? 0);
    expect(back.status).toBe('created');
    expect(await memory.get([back.id])).toMatchObject([{ content: `${text} Really.`, ts: NOW_S - 9 }]);
  });

  it('ends with one truth when twenty write on one subject at once', async () => {
    const { memory, ownerId } = createMemory(store, { analyst: createArbiter('REPLACE') });
    // Two servers: their queues do not know of each other.
    const { memory: other } = createMemory(store, { analyst: createArbiter('REPLACE'), ownerId });
    const text = 'The deployment window of the payment service is on Thursday afternoon, number';
    const writes = Array.from({ length: 20 }, (_, at) =>
      (at % 2 === 0 ? memory : other).ingest(note(`${text} ${at}.`)),
    );
    const answers = await Promise.all(writes);
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers.filter(({ status }) => status === 'created')).toHaveLength(1);
    expect(await memory.versions(answers[0]?.id ?? '')).toHaveLength(20);
    expect(await memory.projects(10)).toMatchObject([{ key: project_name, memoryCount: 1 }]);
    expect(await store.inspect()).toMatchObject({ torn: [], broken: [] });
  });

  it('keeps a memory without vectors, finds it by words, and completes it later', async () => {
    const noVectors = { embed: async () => undefined, embedQuery: async () => undefined };
    const { memory, ownerId } = createMemory(store, noVectors);
    const { id, status } = await memory.ingest(note('潮汐表由港务局每月发布。'));
    expect(status).toBe('created');
    expect((await memory.search({ query: '潮汐表', scope: 'all', limit: 5 })).results[0]?.id).toBe(id);
    const pending = await store.pending(ownerId, 100);
    expect(pending).toHaveLength(1);
    expect(await store.pending('another', 100)).toEqual([]);
    const [embedding = new Float32Array()] = await embedder.embed(pending.map(({ content }) => content));
    await store.addEmbeddings(pending.map((fragment) => ({ ...fragment, embedding })));
    const { memory: repaired } = createMemory(store);
    expect(await repaired.search({ query: '潮汐表', scope: 'all', limit: 5 })).toMatchObject({ results: [] });
    expect(await store.pending(ownerId, 100)).toEqual([]);
  });

  it('stores vectors while an import brings their memory up to date', async () => {
    const { memory, ownerId } = createMemory(store, { embed: async () => undefined });
    const content = Array.from({ length: 6 }, (_, at) => `# Part ${at}\n\n${LONG}`).join('\n\n');
    const { id } = await memory.ingest(note(content));
    const pending = await store.pending(ownerId, 1_000);
    const vectors = await embedder.embed(pending.map((fragment) => fragment.content));
    const state = { content_type: 'development', content, ts: NOW_S, summary: 'Tides.', tags: [] as string[] } as const;
    const time = '2026-01-01T00:00:00Z';
    const version = {
      ...state,
      kind: 'version',
      memory_id: id,
      revision: 1,
      created_at: time,
      replaced_at: time,
    } as const;
    const later = {
      ...state,
      kind: 'memory',
      id,
      project_key: project_name,
      revision: 2,
      versions: [version],
    } as const;
    const [outcome] = await Promise.all([
      store.importUnit(ownerId, { ...later, content: 'Shorter.', created_at: time, updated_at: time }),
      store.addEmbeddings(
        pending.map((fragment, at) => ({ ...fragment, embedding: vectors[at] ?? new Float32Array() })),
      ),
    ]);
    expect(outcome).toBe('imported');
    expect(await memory.get([id])).toMatchObject([{ content: 'Shorter.' }]);
    expect(await store.inspect()).toMatchObject({ torn: [], broken: [] });
  });

  it('notices fragments that are missing, and writes them again', async () => {
    const { memory } = createMemory(store);
    const { id } = await memory.ingest(note(LONG));
    await opened.database.query('delete from fragments where memory_id = $1 and chunk_index = 1', [id]);
    expect((await store.inspect()).torn).toEqual([id]);
    await store.rewriteFragments(id);
    expect((await store.inspect()).torn).toEqual([]);
    const { memory: arbiter, ownerId } = createMemory(store, { analyst: createArbiter('REPLACE') });
    const replaced = await arbiter.ingest(note(LONG));
    await arbiter.ingest(note(`${LONG}.`));
    await opened.database.query('delete from version_fragments where owner_id = $1', [ownerId]);
    expect((await store.inspect()).torn).toEqual([replaced.id]);
    await store.rewriteFragments(replaced.id);
    expect((await store.inspect()).torn).toEqual([]);
    expect((await store.pending(ownerId, 1_000)).filter(({ id }) => id.startsWith(`${replaced.id}@1#`))).not.toEqual(
      [],
    );
  });

  it('undoes everything of an ingest that fails half-way', async () => {
    const { memory } = createMemory(store);
    const before = await store.inspect();
    // A vector of another size is refused by the column, after the memory's row was written.
    const { memory: broken } = createMemory(store, { embed: async (texts) => texts.map(() => Float32Array.of(1, 0)) });
    await expect(broken.ingest({ ...note('Half a memory.'), project_name: 'half' })).rejects.toMatchObject({
      code: 'internal',
    });
    expect(await store.inspect()).toEqual(before);
    await memory.ingest(note('And the next one is stored.'));
  });
});
