import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { silentLog } from '@contextloom/runtime';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { GraphAnswer, GraphBatch, GraphStore } from '../../src/domain/graph-store.ts';
import { undoImport } from '../../src/imports/undo-import.ts';
import { createGraphPeople } from '../../src/store/graph-people.ts';
import { createImporting, readPath } from '../support/importing.ts';
import { createFolder } from '../support/knowledge-base.ts';
import { createKeptMemories } from '../support/memory-stores.ts';

let folder = '';
let remove = async (): Promise<void> => undefined;
beforeEach(async () => {
  ({ path: folder, remove } = await createFolder());
});
afterEach(() => remove());

interface KeptGraph extends GraphStore {
  readonly batches: GraphBatch[];
  readonly removed: string[];
}

/** The port, with what it was given; after `failAfter` batches it is out of reach. */
function createKeptGraph({
  failAfter = Number.POSITIVE_INFINITY,
  refused,
}: {
  readonly failAfter?: number;
  readonly refused?: string;
} = {}): KeptGraph {
  const batches: GraphBatch[] = [];
  const removed: string[] = [];
  const add = async (batch: GraphBatch): Promise<GraphAnswer> => {
    if (refused !== undefined) return { refused };
    if (batches.length >= failAfter) throw new ContextloomError('unavailable', 'personal memory went away');
    batches.push(batch);
    const zero = { entities: 0, observations: 0, relations: 0 };
    const [entities, relations] = [batch.entities.length, batch.relations.length];
    return { added: { entities, observations: entities, relations }, already_known: zero };
  };
  return {
    batches,
    removed,
    add: (_userId, _importId, batch) => add(batch),
    remove: async (_userId, importId) => {
      removed.push(importId);
      return { removed: { entities: 1, observations: 0, relations: 0 }, kept: [] };
    },
    close: async () => undefined,
  };
}

const toEntity = (name: string) => ({ type: 'entity', name, entityType: 'person', observations: [`is ${name}`] });
async function writeGraph(lines: readonly object[]): Promise<string> {
  const file = join(folder, 'memory.jsonl');
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  return file;
}

describe('a graph of another memory program', () => {
  it('goes into personal memory besides its words: all entities first, then the relations', async () => {
    const relation = { type: 'relation', from: 'Ann', to: 'Ben', relationType: 'sister of' };
    const file = await writeGraph([relation, ...['Ann', 'Ben'].map(toEntity)]);
    const [memories, graph] = [createKeptMemories(), createKeptGraph()];
    const { run, journal, close } = createImporting(memories, folder, { graph });
    const outcome = await run(file);
    expect(graph.batches).toEqual([
      {
        entities: [
          { name: 'Ann', kind: 'person', observations: ['is Ann'] },
          { name: 'Ben', kind: 'person', observations: ['is Ben'] },
        ],
        relations: [],
      },
      { entities: [], relations: [{ from: 'Ann', to: 'Ben', relation_type: 'sister of' }] },
    ]);
    expect(outcome).toMatchObject({ conversations: 1, graph: { added: { entities: 2, relations: 1 } } });
    expect(await journal.list()).toMatchObject([{ state: 'done', conversations: 1, failed: 0 }]);
    const undone = await undoImport(outcome.id, { memories, journal, graph, clock: () => new Date(0) });
    expect(undone).toMatchObject({ graph: { removed: { entities: 1 } } });
    expect(graph.removed).toEqual([outcome.id]);
    expect(memories.documents.size).toBe(0);
    await close();
  });

  it('is added in batches; what failed half-way is retried whole, and taken back also without that', async () => {
    const file = await writeGraph(Array.from({ length: 1_201 }, (_, at) => toEntity(`Person ${at}`)));
    const [memories, broken] = [createKeptMemories(), createKeptGraph({ failAfter: 1 })];
    const cut = createImporting(memories, folder, { graph: broken });
    const outcome = await cut.run(file);
    expect(outcome.graph).toBeUndefined();
    expect(await cut.journal.failures(outcome.id)).toEqual([
      { title: 'entities and relations', reason: 'personal memory went away', retryable: true },
    ]);
    await cut.close();
    const graph = createKeptGraph();
    const again = createImporting(memories, folder, { graph });
    await again.run(file);
    expect(graph.batches.map(({ entities }) => entities.length)).toEqual([500, 500, 201]);
    expect(await again.journal.failures(outcome.id)).toEqual([]);
    await undoImport(outcome.id, { memories, journal: again.journal, graph, clock: () => new Date(0) });
    expect(graph.removed).toEqual([outcome.id]);
    await again.close();
  });

  it('stays in words alone where personal memory takes nothing of this user', async () => {
    const file = await writeGraph(['Ann', 'Ben'].map(toEntity));
    const [memories, graph] = [createKeptMemories(), createKeptGraph({ refused: 'it is there for another user' })];
    const { run, journal, close } = createImporting(memories, folder, { graph });
    const outcome = await run(file);
    expect(outcome).toMatchObject({ graph: { left_out: 'it is there for another user' }, failed: 0 });
    expect(memories.documents.size).toBeGreaterThan(0);
    await undoImport(outcome.id, { memories, journal, graph, clock: () => new Date(0) });
    expect(graph.removed).toEqual([]);
    await close();
  });

  it('keeps what it can of names and words that are too long, and says what it left out', async () => {
    const long = { ...toEntity('Ann'), observations: ['x'.repeat(20_001), 'is a nurse'] };
    const { found, preview } = await readPath(await writeGraph([long, toEntity('n'.repeat(3_000))]));
    expect(found.flatMap((one) => (one.kind === 'graph' ? [one.part] : []))).toEqual([
      { kind: 'entity', name: 'Ann', type: 'person', observations: ['is a nurse'] },
    ]);
    expect(preview).toMatchObject({
      graph: { entities: 1, relations: 0 },
      left_out: { 'observation that is too long': 1, 'entity whose name is too long': 1 },
    });
  });
});

describe('notes of basic-memory', () => {
  it('are entities with observations and relations, besides their words', async () => {
    const own = join(folder, 'notes');
    await mkdir(own);
    const head = '---\ntitle: Brewing\ntype: guide\npermalink: tea/brewing\n---\n';
    const body =
      '# Brewing\n\n- [method] Green tea at 80 degrees #tea\n- [ ] buy a kettle\n- requires [[Kettle]]\n- [[tea/pot|Pot]]\n\nSee [[Water]].\n';
    await writeFile(join(own, 'Brewing.md'), head + body);
    await writeFile(join(own, 'Plain.md'), '---\ntitle: Plain\n---\n- [x] requires [[Nothing]]\n');
    const { found } = await readPath(own);
    expect(found.flatMap((one) => (one.kind === 'graph' ? [one.part] : []))).toEqual([
      { kind: 'entity', name: 'Brewing', type: 'guide', observations: ['[method] Green tea at 80 degrees #tea'] },
      { kind: 'relation', from: 'Brewing', type: 'requires', to: 'Kettle' },
      { kind: 'relation', from: 'Brewing', type: 'relates_to', to: 'tea/pot' },
    ]);
  });
});

describe('people who are named in an import', () => {
  const talk =
    '25/12/2023, 14:03 - Ann: My sister Ros helps.\n25/12/2023, 14:04 - Mia Holm: Ask my brother Callum, and my cat Tibby.\n';
  const writeTalk = async (): Promise<string> => {
    const file = join(folder, 'talk.txt');
    await writeFile(file, talk);
    return file;
  };

  it('go into personal memory once they are read, and are taken back with it', async () => {
    const file = await writeTalk();
    const [memories, graph] = [createKeptMemories(), createKeptGraph()];
    const people = createGraphPeople(graph, silentLog);
    const { run, journal, close } = createImporting(memories, folder, { graph, people });
    const outcome = await run(file);
    expect(graph.batches.flatMap(({ entities }) => entities.map(({ name, kind }) => `${name}: ${kind}`))).toEqual([
      'Ros: sister',
      'Mia Holm: person',
      'Callum: person',
      'Tibby: pet',
    ]);
    expect(graph.batches.flatMap(({ relations }) => relations.map(({ relation_type: type }) => type))).toEqual([
      'brother_of',
      'pet_of',
    ]);
    const [{ derived_from: sources = [] } = {}] = graph.batches[0]?.entities ?? [];
    expect(sources.map((source) => source.replace('note:', '')).every((id) => memories.documents.has(id))).toBe(true);
    // What is read again changes nothing.
    await run(file);
    expect(graph.batches).toHaveLength(2);
    expect(await journal.list()).toMatchObject([{ conversations: 1, failed: 0 }]);
    await undoImport(outcome.id, { memories, journal, graph, clock: () => new Date(0) });
    expect(graph.removed).toEqual([outcome.id]);
    await close();
  });

  it.each([
    ['is not there', createKeptGraph({ refused: 'there is none' })],
    ['is out of reach', createKeptGraph({ failAfter: 0 })],
  ])('leave the import as it is where personal memory %s', async (_name, graph) => {
    const memories = createKeptMemories();
    const people = createGraphPeople(graph, silentLog);
    const { run, close } = createImporting(memories, folder, { graph, people });
    expect(await run(await writeTalk())).toMatchObject({ conversations: 1, failed: 0 });
    expect(memories.documents.size).toBe(1);
    await close();
  });
});
