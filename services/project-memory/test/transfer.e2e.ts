import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ProjectMemory } from '../src/domain/project-memory.ts';
import type { MemoryStore } from '../src/domain/store.ts';
import type { ImportReport } from '../src/domain/transfer/transfer.ts';
import { openEmbedded, type TestDatabase } from './support/databases.ts';
import { serve } from './support/http.ts';
import { createArbiter, createMemory, openStore } from './support/memory.ts';

const OWNER = 'ann';
let source: TestDatabase;
let target: TestDatabase;
let there: MemoryStore;
let here: MemoryStore;
beforeAll(async () => {
  source = await openEmbedded();
  target = await openEmbedded();
  there = await openStore(source);
  here = await openStore(target);
});
beforeEach(async () => {
  await source.database.run('delete from projects');
  await target.database.run('delete from projects');
});
afterAll(async () => {
  await source.close();
  await target.close();
});

const on = (store: MemoryStore, act: 'REPLACE' | 'SKIP' | 'KEEP_BOTH' = 'REPLACE', ownerId = OWNER): ProjectMemory =>
  createMemory(store, { ownerId, analyst: createArbiter(act) }).memory;
const note = (content: string, project_name = 'harbour') => ({ project_name, content_type: 'plan' as const, content });
const TEXT = 'The harbour office publishes the tide table every month, and the pilots read it';

async function read(memory: ProjectMemory, project = {}): Promise<string> {
  let text = '';
  for await (const line of memory.exportText(project)) text += line;
  return text;
}

const bring = (memory: ProjectMemory, text: string | Uint8Array): Promise<ImportReport> =>
  memory.importText(Readable.from([Buffer.from(text)]));

/** A memory with two earlier states, one of them restored, a skipped text, a second project and a link. */
async function fill(store: MemoryStore): Promise<{ readonly tide: string; readonly watch: string }> {
  const { id: tide } = await on(store).ingest(note(`${TEXT}.`));
  await on(store).ingest(note(`${TEXT}, 潮汐表.`));
  const [last] = await on(store).arbitrations({}, 1);
  await on(store).rollback(last?.id ?? 0);
  await on(store, 'SKIP').ingest(note(`${TEXT}!`));
  const { id: watch } = await on(store).ingest({
    ...note('值班表：夜班从十点开始。', 'watch'),
    machine_name: 'pilot-1',
  });
  await on(store).link({ fromId: watch, toId: tide, relation: 'depends_on' });
  return { tide, watch };
}

describe('an export', () => {
  it('read into an empty database gives the same export, history, verdicts and links with it', async () => {
    const { tide, watch } = await fill(there);
    const text = await read(on(there));
    const kinds = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).kind);
    expect(kinds.sort()).toEqual(
      [
        'header',
        'project',
        'project',
        'version',
        'version',
        'memory',
        'memory',
        'arbitration',
        'arbitration',
        'link',
        'end',
      ].sort(),
    );
    expect(text).not.toContain(OWNER);
    expect(await bring(on(here), text)).toEqual({
      imported: { project: 2, memory: 2, arbitration: 2, link: 1 },
      unchanged: 0,
      refused: [],
      refused_count: 0,
      is_complete: true,
    });
    expect(await read(on(here))).toBe(text);
    expect(await on(here).versions(tide)).toEqual(await on(there).versions(tide));
    expect(await on(here).links(watch)).toEqual(await on(there).links(watch));
    expect(await here.inspect()).toMatchObject({ torn: [], broken: [], pending: 2 });
    const { results } = await on(here).search({ query: '潮汐表 tide', scope: 'all', limit: 5 });
    expect(results[0]?.id).toBe(tide);
  });

  it('read in again changes nothing, and can be of one project alone', async () => {
    const { tide } = await fill(there);
    const one = await read(on(there), { project_name: 'harbour' });
    expect(one).not.toContain('值班表');
    await bring(on(here), one);
    await bring(on(here), await read(on(there)));
    const before = await read(on(here));
    const report = await bring(on(here), before);
    expect(report).toMatchObject({ imported: { project: 0, memory: 0, arbitration: 0, link: 0 }, refused: [] });
    expect(await read(on(here))).toBe(before);
    expect(await on(here).versions(tide)).toHaveLength(3);
  });

  it('brings a stored memory up to date, never back, and leaves one with another history alone', async () => {
    const { tide } = await fill(there);
    const early = await read(on(there));
    await bring(on(here), early);
    await on(there).ingest(note(`${TEXT}. On Mondays.`));
    expect(await bring(on(here), await read(on(there)))).toMatchObject({ imported: { memory: 1, arbitration: 1 } });
    expect(await on(here).versions(tide)).toEqual(await on(there).versions(tide));
    expect(await bring(on(here), early)).toMatchObject({ imported: { memory: 0 }, refused: [] });
    expect(await here.inspect()).toMatchObject({ torn: [], broken: [] });
    await target.database.run('delete from projects');
    await bring(on(here), early);
    await target.database.query("update memories set content = 'Mine.', content_hash = 'x' where id = $1", [tide]);
    const text = await read(on(there));
    const line = text.split('\n').findIndex((each) => each.includes(`"id":"${tide}"`)) + 1;
    expect((await bring(on(here), text)).refused).toEqual([
      { line, problem: 'the memory that is stored under this id has another history; nothing was changed' },
    ]);
    expect(await on(here).get([tide])).toMatchObject([{ content: 'Mine.' }]);
  });

  it('cannot overwrite the memories of another owner in the same database', async () => {
    await fill(there);
    const text = await read(on(there));
    const report = await bring(on(there, 'REPLACE', 'eve'), text);
    expect(report.refused.map(({ problem }) => problem)).toEqual([
      'the id cannot be used',
      'the id cannot be used',
      'a memory that it is about is not there',
    ]);
    expect(await read(on(there))).toBe(text);
    expect(await on(there, 'REPLACE', 'eve').newest({}, 10)).toEqual([]);
  });
});

describe('an import', () => {
  const header = '{"kind":"header","format":"contextloom-project-memory","version":1}';
  const content = { content_type: 'plan', content: 'Ships.', ts: 1, summary: 'Ships.', tags: [] };
  const times = { created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-02T00:00:00.123456Z' };
  const memory = (extra: object) =>
    JSON.stringify({ kind: 'memory', id: 'mem_a', project_key: 'p', revision: 1, ...content, ...times, ...extra });
  const version = (extra: object) =>
    JSON.stringify({
      kind: 'version',
      memory_id: 'mem_a',
      revision: 1,
      ...content,
      ...times,
      replaced_at: times.updated_at,
      ...extra,
    });

  const arbitration = (extra: object) =>
    JSON.stringify({
      kind: 'arbitration',
      project_key: 'p',
      candidate_memory_id: 'mem_a',
      new_memory_id: null,
      similarity: 0.9,
      old_summary: '',
      new_summary: '',
      model: null,
      revision: null,
      created_at: '2026-01-01T00:00:00Z',
      skipped_type: null,
      skipped_content: null,
      skipped_ts: null,
      rolled_back_at: null,
      ...extra,
    });

  it.each<[string, readonly string[], number, string]>([
    ['no JSON', ['{"kind":'], 2, 'is not JSON'],
    ['an unknown kind', ['{"kind":"poem"}'], 2, 'kind'],
    ['no content', [memory({ content: undefined })], 2, 'content is required'],
    ['a blank content', [memory({ content: ' ' })], 2, 'content must not be blank'],
    ['NUL in a tag', [memory({ tags: ['a\0'] })], 2, 'tags[0] must be at most 4096 characters, without NUL'],
    ['a content that is too large', [memory({ content: 'x'.repeat(1_000_001) })], 2, '1,000,000 bytes'],
    ['a line that is too long', [memory({ content: 'x'.repeat(8_000_001) })], 2, 'longer than 8 MB'],
    ['an id that is none', [memory({ id: 'a' })], 2, 'id must be an id'],
    ['a time that is none', [memory({ created_at: 'noon' })], 2, 'created_at must be a time'],
    ['a year that is none', [memory({ created_at: '0000-01-01T00:00:00Z' })], 2, 'created_at must be a time'],
    ['a key that is blank', [memory({ project_key: '  ' })], 2, 'project_key must not be blank'],
    [
      'a key that is too long',
      [memory({ project_key: '港'.repeat(501) })],
      2,
      'project_key must be at most 1,500 bytes',
    ],
    ['a verdict without what it left out', [arbitration({ action: 'SKIP' })], 2, 'skipped_type is required of SKIP'],
    ['a verdict without what it made', [arbitration({ action: 'REPLACE' })], 2, 'revision is required of REPLACE'],
    ['a memory without its versions', [memory({ revision: 3 })], 2, 'versions 1 to 2 must stand before it'],
    ['a version of another', [version({ memory_id: 'mem_b' }), memory({})], 2, 'the next memory is mem_a, not mem_b'],
    ['a version after its memory', [memory({}), version({})], 3, 'the next memory is mem_good, not mem_a'],
    [
      'a link to nothing',
      ['{"kind":"link","from_id":"mem_x","to_id":"mem_y","relation":"tests","created_at":"2026-01-01T00:00:00Z"}'],
      2,
      'is not there',
    ],
  ])('names the line that has %s, and takes the others in', async (_name, lines, number, problem) => {
    const good = memory({ id: 'mem_good' });
    const report = await bring(on(here), [header, ...lines, good, '{"kind":"end"}', ''].join('\n'));
    expect(report.refused).toEqual([{ line: number, problem: expect.stringContaining(problem) }]);
    expect(await on(here).get(['mem_good'])).toHaveLength(1);
    expect(await here.inspect()).toMatchObject({ torn: [], broken: [] });
  });

  it('takes lines in pieces of any size, with other line ends and a mark of order', async () => {
    const text = Buffer.from(`\ufeff${header}\r\n\r\n${memory({ content: '行\u2028一' })}\r\n{"kind":"end"}`);
    const pieces = Array.from({ length: Math.ceil(text.length / 7) }, (_, at) => text.subarray(7 * at, 7 * at + 7));
    const report = await on(here).importText(Readable.from(pieces));
    expect(report).toMatchObject({ imported: { memory: 1 }, refused: [], is_complete: true });
    expect(await on(here).get(['mem_a'])).toMatchObject([{ content: '行\u2028一' }]);
  });

  it('tells bytes that are no UTF-8, and an export that was cut off', async () => {
    const bytes = Buffer.concat([Buffer.from(`${header}\n{"kind":"`), Buffer.from([0xd6, 0xd0]), Buffer.from('"}\n')]);
    expect(await bring(on(here), bytes)).toMatchObject({
      refused: [{ line: 2, problem: expect.stringContaining('is not UTF-8') }],
      is_complete: false,
    });
  });

  it.each([['{"kind":"end"}'], ['Not an export at all.'], ['{"kind":"header","format":"other","version":1}']])(
    'refuses a file that begins with %s',
    async (line) => {
      await expect(bring(on(here), `${line}\n`)).rejects.toMatchObject({
        code: 'invalid',
        message: expect.stringContaining('line 1 is no header of an export'),
      });
    },
  );

  it('refuses a file that is empty, and one whose header is missing behind blank lines', async () => {
    await expect(bring(on(here), '\n')).rejects.toMatchObject({ code: 'invalid' });
    await expect(bring(on(here), `\n${memory({})}`)).rejects.toMatchObject({ code: 'invalid' });
    expect(await on(here).get(['mem_a'])).toEqual([]);
  });

  it('files a memory under the key that callers can name', async () => {
    await bring(on(here), `${header}\n${memory({ project_key: ' p ' })}`);
    expect(await on(here).newest({ project_key: 'p' }, 10)).toHaveLength(1);
  });

  it('refuses versions whose memory does not follow', async () => {
    expect(await bring(on(here), `${header}\n${version({})}`)).toMatchObject({
      refused: [{ line: 2, problem: 'its memory does not follow' }],
    });
  });

  it('keeps a hundred refusals, and counts the rest', async () => {
    const report = await bring(on(here), `${header}\n${'{}\n'.repeat(150)}`);
    expect([report.refused.length, report.refused_count]).toEqual([100, 150]);
  });
});

it('streams over HTTP, both ways', async () => {
  await fill(there);
  const [from, to] = [await serve(on(there), OWNER), await serve(on(here), OWNER)];
  const answer = await fetch(`${from.url}/export`);
  expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
  const text = await answer.text();
  const headers = { 'content-type': 'application/x-ndjson' };
  const brought = await fetch(`${to.url}/import`, { method: 'POST', headers, body: text });
  expect(await brought.json()).toMatchObject({ imported: { memory: 2 }, refused_count: 0, is_complete: true });
  expect(await (await fetch(`${to.url}/export`)).text()).toBe(text);
  expect((await fetch(`${to.url}/import?owner_id=eve`, { method: 'POST', headers, body: text })).status).toBe(403);
  expect((await fetch(`${to.url}/export?owner_id=eve`)).status).toBe(403);
  expect((await fetch(`${to.url}/export?format=csv`)).status).toBe(400);
  const wrong = await fetch(`${to.url}/import`, { method: 'POST', headers, body: '{}\n' });
  expect(await wrong.json()).toMatchObject({ code: 'ERR_INVALID', message: expect.stringContaining('line 1') });
  await from.close();
  await to.close();
});
