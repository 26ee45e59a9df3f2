import type { ProjectMemory } from '../../src/domain/project-memory.ts';
import type { MemoryStore } from '../../src/domain/store.ts';
import { createArbiter, createMemory } from './memory.ts';

export const OWNER = 'ann';
export const note = (content: string, project_name = 'harbour') => ({
  project_name,
  content_type: 'plan' as const,
  content,
});

/** All that an owner's memory has, as an export tells it. */
export async function readExport(memory: ProjectMemory): Promise<string> {
  let text = '';
  for await (const line of memory.exportText({})) text += line;
  return text;
}

/** What a store was filled with. */
export interface Filled {
  /** The export of {@link OWNER}. */
  readonly before: string;
  /** The id of the memory that was deleted. */
  readonly deleted: string;
}

/** Fills a store: memories with histories, a verdict that was undone, links, one deleted, one without vectors, and those of another owner. */
export async function fillStore(store: MemoryStore): Promise<Filled> {
  const on = (action: 'REPLACE' | 'SKIP' | 'KEEP_BOTH', ownerId = OWNER) =>
    createMemory(store, { ownerId, analyst: createArbiter(action) }).memory;
  const ann = on('REPLACE');
  const { id: tide } = await ann.ingest(note('The harbour office publishes the tide table every month.'));
  await ann.ingest(note('The harbour office publishes the tide table every month, 潮汐表.'));
  const [last] = await ann.arbitrations({}, 1);
  await ann.rollback(last?.id ?? 0);
  await on('SKIP').ingest(note('The harbour office publishes the tide table every month!'));
  for (let at = 0; at < 230; at += 1)
    await on('KEEP_BOTH').ingest(note(`Berth ${at * 31} has ${at} cranes.`, 'berths'));
  const { id: watch } = await ann.ingest({ ...note('夜班从十点开始。', 'watch'), machine_name: 'pilot-1' });
  await ann.link({ fromId: watch, toId: tide, relation: 'depends_on' });
  const { id: deleted } = await ann.ingest(note('A buoy that is gone.', 'gone'));
  await ann.remove(deleted);
  await on('REPLACE', 'bob').ingest(note('Bob keeps bees.', 'bees'));
  const later = createMemory(store, { ownerId: OWNER, embed: async () => undefined }).memory;
  await later.ingest(note('Vectors come later.', 'later'));
  return { before: await readExport(ann), deleted };
}
