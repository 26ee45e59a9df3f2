import { expect } from '@jest/globals';
import fc from 'fast-check';
import type { ProjectMemory } from '../src/domain/project-memory.ts';
import type { MemoryStore } from '../src/domain/store.ts';
import { createArbiter, createMemory } from './support/memory.ts';

const TEXT = 'The harbour office publishes the tide table every month, and the pilots read it';

type Step = {
  readonly owner: 0 | 1;
  readonly act: 'REPLACE' | 'KEEP_BOTH' | 'SKIP' | 'rollback';
  readonly word: string;
};

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    owner: fc.constantFrom<0 | 1>(0, 1),
    act: fc.constantFrom('REPLACE', 'KEEP_BOTH', 'SKIP', 'rollback'),
    word: fc.constantFrom('early', 'late', '潮汐', '引航'),
  }),
  { minLength: 2, maxLength: 12 },
);

const markOf = (owner: 0 | 1): string => (owner === 0 ? 'owner-zero' : 'owner-one');

/** All that an owner can be told, as one text. */
async function readEverything(memory: ProjectMemory, ids: readonly string[]): Promise<string> {
  const told = await Promise.all([
    memory.search({ query: `${TEXT} 潮汐 引航 owner-zero owner-one`, scope: 'all', limit: 100 }),
    memory.get(ids),
    memory.timeline({}, 3_650, 100),
    memory.projects(100),
    memory.arbitrations({}, 100),
    ...ids.map((id) => memory.versions(id).catch((error: { code: string }) => error.code)),
    ...ids.map((id) => memory.arbitrations({ id }, 100)),
  ]);
  return JSON.stringify(told);
}

/** Whatever two owners do with one project name, neither is told a word of the other's, nor can undo what the other did. */
export function checkIsolation(store: MemoryStore, runs: number): Promise<void> {
  const property = fc.asyncProperty(steps, async (given) => {
    const owners = [createMemory(store).ownerId, createMemory(store).ownerId] as const;
    const open = (owner: 0 | 1, act: Step['act'] = 'KEEP_BOTH') => {
      const analyst = createArbiter(act === 'rollback' ? 'REPLACE' : act);
      return createMemory(store, { ownerId: owners[owner], analyst }).memory;
    };
    const ids = new Set<string>();
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
      const content = `${TEXT} ${word}, says ${markOf(owner)}.`;
      ids.add((await memory.ingest({ project_name: 'harbour', content_type: 'insight', content })).id);
    }
    expect(await readEverything(open(0), [...ids])).not.toContain(markOf(1));
    expect(await readEverything(open(1), [...ids])).not.toContain(markOf(0));
    expect(await store.inspect()).toMatchObject({ torn: [], broken: [] });
  });
  return fc.assert(property, { numRuns: runs });
}
