import { Readable } from 'node:stream';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { ProjectMemory } from '../src/domain/project-memory.ts';
import type { MemoryStore } from '../src/domain/store.ts';
import { createArbiter, createMemory } from './support/memory.ts';

const TEXT = 'The harbour office publishes the tide table every month, and the pilots read it';

type Step = {
  readonly owner: 0 | 1;
  readonly act: 'REPLACE' | 'KEEP_BOTH' | 'SKIP' | 'rollback' | 'link';
  readonly word: string;
};

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    owner: fc.constantFrom<0 | 1>(0, 1),
    act: fc.constantFrom('REPLACE', 'KEEP_BOTH', 'SKIP', 'rollback', 'link'),
    word: fc.constantFrom('early', 'late', '潮汐', '引航'),
  }),
  { minLength: 2, maxLength: 12 },
);

const markOf = (owner: 0 | 1): string => (owner === 0 ? 'owner-zero' : 'owner-one');

/** All that an owner can be told, as one text. */
async function readEverything(memory: ProjectMemory, ids: readonly string[]): Promise<string> {
  const now = Date.now() / 1_000;
  const told = await Promise.all([
    ...[undefined, now, now + 3_600].flatMap((as_of) => [
      memory.search({ query: `${TEXT} 潮汐 引航 owner-zero owner-one`, scope: 'all', limit: 100, as_of }),
      memory.get(ids, as_of),
    ]),
    readExport(memory),
    memory.relatedTo(ids, 'with nearest'),
    memory.timeline({}, 3_650, { limit: 100 }),
    memory.newest({}, 100),
    memory.projects(100),
    memory.counts(),
    memory.arbitrations({}, 100),
    ...ids.map((id) => memory.versions(id).catch((error: { code: string }) => error.code)),
    ...ids.map((id) => memory.arbitrations({ id }, 100)),
    ...ids.map((id) => memory.links(id).catch((error: { code: string }) => error.code)),
  ]);
  return JSON.stringify(told);
}

async function readExport(memory: ProjectMemory): Promise<string> {
  let text = '';
  for await (const line of memory.exportText({})) text += line;
  return text;
}

/** What is read in of another owner's export becomes one's own, and leaves the other's memories as they are. */
async function tryImport(memory: ProjectMemory, other: ProjectMemory): Promise<void> {
  const theirs = await readExport(other);
  await memory.importText(Readable.from([Buffer.from(theirs)]));
  expect(await readExport(other)).toBe(theirs);
}

/** Links all of one's own, and nothing of the other's; leaves the other's links as they are. */
async function tryLinks(
  memory: ProjectMemory,
  other: ProjectMemory,
  own: readonly string[],
  theirs: readonly string[],
): Promise<void> {
  const [first, second] = own;
  if (first !== undefined && second !== undefined)
    await memory.link({ fromId: first, toId: second, relation: 'explains' });
  const [target, further] = theirs;
  if (target === undefined) return;
  const before = await other.links(target);
  const relation = 'relates_to';
  if (first !== undefined) {
    for (const link of [
      { fromId: first, toId: target, relation },
      { fromId: target, toId: first, relation },
    ] as const)
      await expect(memory.link(link)).rejects.toMatchObject({ code: 'not_found' });
  }
  if (further !== undefined) expect(await memory.unlink({ fromId: target, toId: further })).toBe(0);
  await expect(memory.links(target)).rejects.toMatchObject({ code: 'not_found' });
  await expect(memory.remove(target)).rejects.toMatchObject({ code: 'not_found' });
  expect(await other.links(target)).toEqual(before);
}

/** Whatever two owners do with one project name, neither is told a word of the other's, nor can undo what the other did. */
export function checkIsolation(store: MemoryStore, runs: number): Promise<void> {
  const property = fc.asyncProperty(steps, async (given) => {
    const owners = [createMemory(store).ownerId, createMemory(store).ownerId] as const;
    const open = (owner: 0 | 1, act: Step['act'] = 'KEEP_BOTH') => {
      const analyst = createArbiter(act === 'rollback' || act === 'link' ? 'REPLACE' : act);
      return createMemory(store, { ownerId: owners[owner], analyst }).memory;
    };
    const ids = new Set<string>();
    const mine = [new Set<string>(), new Set<string>()] as const;
    for (const { owner, act, word } of given) {
      const memory = open(owner, act);
      if (act === 'rollback') {
        const [theirs] = await open(owner === 0 ? 1 : 0).arbitrations({}, 1);
        if (theirs !== undefined) await expect(memory.rollback(theirs.id)).rejects.toMatchObject({ code: 'not_found' });
        const [own] = await memory.arbitrations({}, 1);
        if (own !== undefined && own.action !== 'KEEP_BOTH' && own.rolledBackAt === undefined)
          await memory.rollback(own.id);
        continue;
      }
      if (act === 'link') {
        await tryLinks(memory, open(owner === 0 ? 1 : 0), [...mine[owner]], [...mine[owner === 0 ? 1 : 0]]);
        continue;
      }
      const content = `${TEXT} ${word}, says ${markOf(owner)}.`;
      const { id } = await memory.ingest({ project_name: 'harbour', content_type: 'insight', content });
      ids.add(id);
      mine[owner].add(id);
    }
    for (const owner of [0, 1] as const) {
      const total = (await open(owner).counts()).memories.reduce((sum, { count }) => sum + count, 0);
      expect(total).toBe((await open(owner).newest({}, 100)).length);
    }
    expect(await readEverything(open(0), [...ids])).not.toContain(markOf(1));
    expect(await readEverything(open(1), [...ids])).not.toContain(markOf(0));
    await tryImport(open(0), open(1));
    expect(await store.inspect()).toMatchObject({ torn: [], broken: [] });
  });
  return fc.assert(property, { numRuns: runs });
}
