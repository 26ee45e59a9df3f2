import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createChatModel } from '@contextloom/llm';
import { type ScriptedOpenAi, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { undoImport } from '../../src/imports/undo-import.ts';
import { createImporting, type Importing, NO_GRAPH } from '../support/importing.ts';
import { createFolder } from '../support/knowledge-base.ts';
import { createKeptMemories, type KeptMemories } from '../support/memory-stores.ts';
import { toAnswerText } from '../support/scripted-model.ts';

const BONN = 'Ann lives in Bonn.';
const LYON = 'Ann lives in Lyon now.';
const AGAIN = 'Bonn is the home of Ann.';

/** A model that draws what the user says as a fact, and decides: Lyon replaces Bonn, and Bonn said again is a repeat. */
function answer([instructions = '', asked = '']: readonly string[]): string {
  if (!instructions.includes('"decisions"')) {
    const [, piece = ''] = asked.split('The piece to read:');
    const said = [...piece.matchAll(/^\[(\d+)\] (?!assistant)[^:]+: (.*)$/gmu)];
    return toAnswerText(...said.map(([, label = '', content]) => ({ content, evidence: [label] })));
  }
  const found = [...asked.matchAll(/^(\d+)\. (?:NEW )?\[[^\]]*\] (.*)$/gmu)].map(([, number, text]) => ({
    number,
    text,
  }));
  const numberOf = (text: string): number => Number(found.find((one) => one.text === text)?.number);
  const relations = [
    { fact: numberOf(LYON), relation: 'replaces', of: [numberOf(BONN)] },
    { fact: numberOf(AGAIN), relation: 'same', of: [numberOf(BONN)] },
  ];
  return JSON.stringify({ decisions: relations.filter(({ fact, of }) => fact > 0 && (of[0] ?? 0) > 0) });
}

let folder = '';
let endpoint: ScriptedOpenAi;
let memories: KeptMemories;
let importing: Importing;
let remove = async (): Promise<void> => undefined;

beforeEach(async () => {
  ({ path: folder, remove } = await createFolder());
  endpoint = await startScriptedOpenAi({
    chat: ({ body }) => ({ kind: 'answer', text: answer((body.messages ?? []).map(({ content }) => String(content))) }),
  });
  memories = createKeptMemories();
  const llm = await createChatModel({
    model: 'scripted',
    baseUrl: endpoint.url,
    apiKey: endpoint.apiKey,
    concurrency: 1,
  });
  importing = createImporting(memories, folder, { llm });
});
afterEach(async () => {
  await importing.close();
  await endpoint.close();
  await remove();
});

async function bring(name: string, said: string, date: string): Promise<string> {
  const file = join(folder, `${name}.json`);
  await writeFile(file, JSON.stringify({ id: name, date, messages: [{ role: 'user', content: said }] }));
  return (await importing.run(file)).id;
}

const undo = (id: string) =>
  undoImport(id, {
    memories,
    journal: importing.journal,
    graph: NO_GRAPH,
    clock: () => new Date('2025-02-01T00:00:00Z'),
  });
const factsOf = () =>
  [...memories.documents.values()]
    .filter(({ tags }) => !tags.includes('episode') && !tags.includes('decision'))
    .map(({ content, metadata }) => ({ content, until: metadata['valid_to'] ?? null }));

describe('undoing an import whose facts a model has judged', () => {
  it('lets what it replaced stand again, and leaves nothing of its own', async () => {
    await bring('first', BONN, '2024-03-05');
    const before = [...memories.documents.entries()];
    const second = await bring('second', LYON, '2024-06-05');
    expect(factsOf()).toEqual([
      { content: BONN, until: expect.any(String) },
      { content: LYON, until: null },
    ]);
    expect(await undo(second)).toMatchObject({ restored: 1 });
    expect([...memories.documents.entries()]).toEqual(before);
  });

  it('takes back what it only repeated', async () => {
    await bring('first', BONN, '2024-03-05');
    const second = await bring('second', AGAIN, '2024-06-05');
    expect(factsOf().map(({ content }) => content)).toEqual([BONN]);
    await undo(second);
    expect(factsOf()).toEqual([{ content: BONN, until: null }]);
    expect([...memories.documents.values()].every(({ metadata }) => metadata['import'] !== second)).toBe(true);
  });

  it('of the first takes back its own alone, also where a later one has replaced it', async () => {
    const first = await bring('first', BONN, '2024-03-05');
    await bring('second', LYON, '2024-06-05');
    await undo(first);
    expect(factsOf()).toEqual([{ content: LYON, until: null }]);
  });

  it('keeps what a person corrected since, with all that this has replaced', async () => {
    await bring('first', BONN, '2024-03-05');
    const second = await bring('second', LYON, '2024-06-05');
    correct(LYON, 'Ann lives in Lyon, near the river.');
    expect(await undo(second)).toMatchObject({ restored: 0, kept: 1 });
    expect(factsOf()).toEqual([
      { content: BONN, until: expect.any(String) },
      { content: 'Ann lives in Lyon, near the river.', until: null },
    ]);
    expect(await undo(second)).toMatchObject({ removed: 0, kept: 1 });
    expect(factsOf()).toHaveLength(2);
  });
});

describe('a fact that a person corrected', () => {
  it('is replaced by what is said after the correction alone', async () => {
    await bring('first', BONN, '2024-03-05');
    correct(BONN, BONN);
    await bring('second', LYON, '2024-06-05');
    expect(factsOf()).toEqual([
      { content: BONN, until: null },
      { content: LYON, until: expect.any(String) },
    ]);
    await bring('third', LYON, '2025-06-05');
    expect(factsOf().filter(({ until }) => until === null)).toEqual([{ content: LYON, until: null }]);
  });
});

/** What a person does, on the first of January 2025. */
function correct(before: string, content: string): void {
  for (const [id, document] of memories.documents) {
    if (document.content !== before || document.tags.includes('episode')) continue;
    const note = { retracted: 'corrected', retracted_at: '2025-01-01T00:00:00.000Z' };
    memories.documents.set(id, { ...document, content, metadata: { ...document.metadata, ...note } });
  }
}
