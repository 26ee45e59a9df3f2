import { dirname } from 'node:path';
import { findBytes } from '@contextloom/testing/find-bytes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ProjectMemory } from '../src/domain/project-memory.ts';
import type { MemoryStore } from '../src/domain/store.ts';
import { engines, openPostgres, type TestDatabase } from './support/databases.ts';
import { createArbiter, createMemory, NOW, openStore } from './support/memory.ts';

const END = '2026-04-01T00:00:00Z';
const LATER = new Date('2026-04-01T00:00:00Z');
const WORDS = ['Zanzibar', '桑给巴尔'];
const project_name = 'boats';

let now: Date;
const clock = () => now;
const note = (content: string, more: object = {}) => ({
  project_name,
  content_type: 'insight' as const,
  content,
  ...more,
});

async function exportOf(memory: ProjectMemory): Promise<string> {
  const lines: string[] = [];
  for await (const line of memory.exportText({ project_name })) lines.push(line);
  return lines.join('');
}

/** All that a memory says of itself, as text. */
async function tellAll(memory: ProjectMemory, ids: readonly string[]): Promise<string> {
  const asOf = NOW.getTime() / 1_000 + 86_400;
  const search = { project_name, scope: 'all', limit: 20 } as const;
  const answers = [
    ...(await Promise.all(WORDS.map((query) => memory.search({ ...search, query })))),
    ...(await Promise.all(WORDS.map((query) => memory.search({ ...search, query, as_of: asOf })))),
    await memory.get(ids),
    await memory.get(ids, asOf),
    await memory.timeline({ project_name }, 3_650, { limit: 100 }),
    await memory.newest({ project_name }, 100),
    await memory.brief({ project_name }),
    await memory.arbitrations({ project_name }, 100),
    await memory.relatedTo(ids, 'with nearest'),
    await memory.projects(10),
    await exportOf(memory),
  ];
  return JSON.stringify(answers);
}

describe.each([...engines, ['tables partitioned by owner', openPostgres, 'partitioned'] as const])(
  'memories with an end on %s',
  (name, open, layout?: 'partitioned') => {
    let opened: TestDatabase;
    let store: MemoryStore;
    beforeAll(async () => {
      opened = await open();
      store = await openStore(opened, layout);
    });
    afterAll(() => opened.close());
    beforeEach(() => {
      now = NOW;
    });

    /** One with an earlier state and a link, and one that was deleted, beside one that stays. */
    async function fill(memory: ProjectMemory) {
      const stays = await memory.ingest(note('The harbour of Leith has a crane.'));
      const first = await memory.ingest(note('The ferry sails to 桑给巴尔.', { expires_at: END }));
      const { id } = await memory.ingest(note('The ferry sails to Zanzibar at noon.', { replaces: first.id }));
      await memory.link({ fromId: stays.id, toId: id, relation: 'relates_to' });
      const gone = await memory.ingest(note('Zanzibar has a lighthouse.', { expires_at: END }));
      await memory.remove(gone.id);
      return { stays: stays.id, id, gone: gone.id };
    }

    it('are there until then, and from then on nothing shows them; a receipt without words stays', async () => {
      const { memory, ownerId } = createMemory(store, { clock });
      const { stays, id, gone } = await fill(memory);
      const before = await tellAll(memory, [stays, id, gone]);
      for (const word of WORDS) expect(before).toContain(word);
      now = LATER;
      const after = await tellAll(memory, [stays, id, gone]);
      for (const word of ['Zanzibar', '桑给巴尔']) {
        expect(after).not.toContain(`sails to ${word}`);
        expect(after).not.toContain(`${word} has`);
      }
      expect(after).toContain('The harbour of Leith');
      await expect(memory.versions(id)).rejects.toThrow('there is no memory');
      await expect(memory.links(id)).rejects.toThrow('there is no memory');
      expect(await memory.links(stays)).toEqual([]);
      const { erased } = await memory.forgetOwner(true);
      expect(erased).toContainEqual({ what: 'receipts of what has ended', count: 2 });
      expect(erased).toContainEqual({ what: 'decisions', count: 0 });
      const receipts = await opened.database.query('select * from memory_receipts where owner_id = $1', [ownerId]);
      expect(receipts.map((receipt) => ({ ...receipt }))).toEqual(
        expect.arrayContaining(
          [id, gone].map((memory_id) => ({
            owner_id: ownerId,
            memory_id,
            ended_at: LATER.getTime(),
            erased_at: LATER.getTime(),
          })),
        ),
      );
      expect(await store.inspect()).toMatchObject({ torn: [], broken: [] });
    });

    it('end for nobody else, and leave the bytes of a file', async () => {
      const { memory } = createMemory(store, { clock });
      const { memory: others } = createMemory(store, { clock: () => NOW });
      await fill(memory);
      const { id } = await others.ingest(note('The ferry sails to Bergen.', { expires_at: END }));
      now = LATER;
      await memory.projects(1);
      expect(await others.get([id])).toHaveLength(1);
      if (name !== 'SQLite') return;
      const [file] = await opened.database.query<{ file: string }>('select file from pragma_database_list');
      expect(await store.eraseDeleted()).toBe(true);
      expect(findBytes(dirname(file?.file ?? ''), WORDS)).toEqual([]);
      expect(await store.eraseDeleted()).toBe(false);
    });

    it('keep their end in the place of another, get a new one when they are said again, and take it along', async () => {
      const { memory } = createMemory(store, { clock });
      const { id } = await memory.ingest(note('The ferry sails to Zanzibar.', { expires_at: END }));
      await memory.ingest(note('The ferry sails to Zanzibar.'));
      expect(await memory.ingest(note('The crane is red.'))).toMatchObject({ status: 'created' });
      const until = '2026-05-01T00:00:00Z';
      const said = await memory.ingest(note('The crane is red.', { expires_at: until }));
      expect(said.status).toBe('skipped');
      const lines = await exportOf(memory);
      const { memory: other } = createMemory(store, { clock });
      const bytes = (async function* () {
        // Ids are of one owner.
        yield Buffer.from(lines.replaceAll('mem_', 'mem_f'));
      })();
      expect((await other.importText(bytes)).imported.memory).toBe(2);
      now = LATER;
      expect(await memory.get([id, said.id])).toMatchObject([{ id: said.id }]);
      expect(await exportOf(other)).not.toContain('Zanzibar');
      expect(await exportOf(other)).toContain('The crane is red.');
      now = new Date(until);
      expect(await memory.get([said.id])).toEqual([]);
      expect(await exportOf(other)).not.toContain('The crane is red.');
    });

    it('are told with their ends in what a session begins with', async () => {
      const { memory } = createMemory(store, { clock });
      await memory.ingest(note('We decided to take the ferry.', { expires_at: END }));
      await memory.ingest(note('We decided to paint the crane.'));
      const { items } = await memory.brief({ project_name });
      const ends = items.filter(({ kind }) => kind === 'decision').map(({ text, endsAt }) => [text, endsAt]);
      expect(ends).toEqual([
        ['We decided to paint the crane.', undefined],
        ['We decided to take the ferry.', LATER.getTime()],
      ]);
    });

    it('take what a verdict left out along, and the other memory stays', async () => {
      const { memory } = createMemory(store, { clock, analyst: createArbiter('SKIP') });
      const { id } = await memory.ingest(note('The ferry sails at noon from the pier.'));
      const skipped = await memory.ingest(
        note('The ferry sails at noon from the pier to Zanzibar.', { expires_at: END }),
      );
      expect(skipped).toMatchObject({ status: 'skipped', id });
      expect(JSON.stringify(await memory.arbitrations({ project_name }, 10))).toContain('Zanzibar');
      now = LATER;
      expect(await memory.arbitrations({ project_name }, 10)).toEqual([]);
      expect(await memory.get([id])).toHaveLength(1);
      expect(await exportOf(memory)).not.toContain('Zanzibar');
    });

    it('have the end of a rule where they say none: by kind, source and user', async () => {
      const asked: unknown[] = [];
      const toLifetime = (memory: { readonly tags: readonly string[] }) => {
        asked.push(memory);
        return memory.tags.includes('plan') ? 86_400_000 : undefined;
      };
      const { memory, ownerId } = createMemory(store, { clock, toLifetime });
      const plan = await memory.ingest({ ...note('We paint the crane.'), content_type: 'plan' });
      const insight = await memory.ingest(note('Cranes are heavy.'));
      expect(asked).toEqual(
        ['plan', 'insight'].map((type) => ({
          tags: ['project', type],
          metadata: { project_name, user_id: ownerId },
        })),
      );
      now = new Date(NOW.getTime() + 86_400_000);
      expect((await memory.get([plan.id, insight.id])).map(({ id }) => id)).toEqual([insight.id]);
    });
  },
);
