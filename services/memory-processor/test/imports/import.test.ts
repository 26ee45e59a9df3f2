import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { renderOutcome } from '../../src/imports/render.ts';
import { undoImport } from '../../src/imports/undo-import.ts';
import { createImporting, type Importing, NO_GRAPH } from '../support/importing.ts';
import { createFolder } from '../support/knowledge-base.ts';
import { createKeptMemories, type KeptMemories } from '../support/memory-stores.ts';
import { drawOne, startScriptedModel, toAnswerText } from '../support/scripted-model.ts';

let folder = '';
let remove = async (): Promise<void> => undefined;
let memories: KeptMemories = createKeptMemories();
let importing: Importing | undefined;

beforeEach(async () => {
  const created = await createFolder();
  [folder, remove] = [created.path, created.remove];
  memories = createKeptMemories();
  importing = createImporting(memories, folder);
});
afterEach(async () => {
  await importing?.close();
  await remove();
});

const get = (): Importing => {
  if (importing === undefined) throw new Error('nothing is set up');
  return importing;
};
const message = (role: string, text: string) => ({
  id: text,
  message: { author: { role }, create_time: 1709600000, content: { content_type: 'text', parts: [text] } },
  parent: null,
});

/** So many conversations of ChatGPT, two turns each. */
async function writeExport(count: number, name = 'conversations.json'): Promise<string> {
  const all = Array.from({ length: count }, (_, at) => ({
    title: `T${at}`,
    conversation_id: `c${at}`,
    mapping: {
      u: message('user', `I moved to town ${at}.`),
      a: { ...message('assistant', `Noted ${at}.`), parent: 'u' },
    },
    current_node: 'a',
  }));
  const file = join(folder, name);
  await writeFile(file, JSON.stringify(all));
  return file;
}

/** Saves so many batches, and fails from then on. */
function createFailing({ save }: KeptMemories, batches: number): KeptMemories['save'] {
  let left = batches;
  return async (batch) => {
    left -= 1;
    if (left < 0) throw new ContextloomError('unavailable', 'the knowledge base went away');
    await save(batch);
  };
}

describe('an import', () => {
  it('tells what it asked of a model also where it could not keep what was answered', async () => {
    const model = await startScriptedModel({ chat: drawOne });
    const { path, remove: removeBroken } = await createFolder();
    const failing = createImporting(createKeptMemories({ failAfter: 0 }), path, { extractor: model.extractor });
    const outcome = await failing.run(await writeExport(1));
    await failing.close();
    await removeBroken();
    await model.endpoint.close();
    expect(outcome).toMatchObject({ saved: 0, failed: 1, isStopped: true, usage: { calls: 1 } });
    expect(outcome.usage.input_tokens).toBeGreaterThan(0);
  });

  it('that reads again and was cut off goes on with those conversations that it had not read again', async () => {
    const file = await writeExport(6);
    const chat = () => ({ kind: 'answer', text: toAnswerText() }) as const;
    const first = await startScriptedModel({ chat });
    // One reader at a time, so that what a save that failed has cost is one call.
    const second = await startScriptedModel({ chat, concurrency: 1 });
    const begin = (store: KeptMemories, { extractor }: typeof first) => createImporting(store, folder, { extractor });
    const read = async (importer: Importing, wishes: Parameters<Importing['run']>[2]) => {
      const outcome = await importer.run(file, {}, wishes);
      await importer.close();
      return outcome;
    };
    await read(begin(memories, first), {});
    const again = { reread: true, rereadSince: '2025-01-02T03:04:05.000Z' };
    // All that is there was saved before.
    for (const [id, document] of memories.documents) {
      const metadata = { ...document.metadata, created_at: '2024-12-31T00:00:00.000Z' };
      memories.documents.set(id, { ...document, metadata });
    }
    const broken = { ...memories, save: createFailing(memories, 2) };
    expect(await read(begin(broken, second), again)).toMatchObject({ isStopped: true });
    expect(await read(begin(memories, second), again)).toMatchObject({ isStopped: false, failed: 0 });
    expect(second.endpoint.requests.length).toBe(6 + 1);
    expect(await read(begin(memories, second), again)).toMatchObject({ usage: { calls: 0 } });
    await first.endpoint.close();
    await second.endpoint.close();
  });

  it('says which facts were not saved, and from which pieces none could be drawn, and why', async () => {
    const small = { content: 'Ann had soup.', importance: 2 };
    const model = await startScriptedModel({
      chat: (_request, at) => ({ kind: 'answer', text: at === 0 ? toAnswerText(small) : '?' }),
      concurrency: 1,
    });
    const { path, remove: removeOther } = await createFolder();
    const own = createImporting(memories, path, { extractor: model.extractor });
    const { id, ...outcome } = await own.run(await writeExport(2));
    await own.close();
    await removeOther();
    await model.endpoint.close();
    expect(outcome).toMatchObject({ pieces: 2, knownPieces: 0, notSaved: { 'importance below 3': 1 } });
    const [piece] = outcome.failedPieces;
    expect([outcome.failedPieces.length, piece?.source]).toEqual([1, 'chatgpt-c1 1-2']);
    const failedPieces = outcome.failedPieces.flatMap((one) => Array.from({ length: 6 }, () => one));
    const reader = { ratedBy: 'the model small', priceBasis: 'no price is known' };
    const text = renderOutcome({ imports: [{ id, userId: 'ann' }], ...outcome, failedPieces }, reader, 200);
    expect(text).toContain('; rated by the model small.\nFacts not saved:\n  1 × importance below 3\n');
    expect(text).toContain(
      'No facts could be drawn from 6 pieces; what was said in them is saved:\n  chatgpt-c1 1-2: ',
    );
    expect(text).toContain('\n  and 1 more\n');
    expect(text).toMatch(/It took \d+ calls, .* out, no price is known\./u);
  });

  it('saves each conversation once, and its journal tells', async () => {
    const file = await writeExport(3);
    const first = await get().run(file);
    expect(first).toMatchObject({ conversations: 3, saved: 3, nothing: 0, failed: 0, isStopped: false });
    expect(await get().run(file)).toMatchObject({ id: first.id, saved: 0, nothing: 3 });
    expect(await get().journal.list()).toMatchObject([
      { id: first.id, userId: 'ann', state: 'done', conversations: 3, saved: 3 },
    ]);
    expect(memories.documents.size).toBe(3);
    expect([...memories.documents.values()].every(({ metadata }) => metadata['import'] === first.id)).toBe(true);
  });

  it('goes on where it was cut off, and nothing is saved twice', async () => {
    const file = await writeExport(5);
    const broken = createKeptMemories({ failAfter: 2 });
    const cut = createImporting(broken, folder);
    const outcome = await cut.run(file);
    expect(outcome).toMatchObject({ saved: 2, failed: 1, isStopped: true });
    expect(await cut.journal.failures(outcome.id)).toEqual([
      { title: 'T2', reason: 'the knowledge base went away', retryable: true },
    ]);
    await cut.close();
    for (const [id, document] of broken.documents) memories.documents.set(id, document);
    expect(await get().run(file)).toMatchObject({ id: outcome.id, known: 2, saved: 3, failed: 0, isStopped: false });
    expect(await get().journal.list()).toMatchObject([{ state: 'done', conversations: 5, saved: 5, failed: 0 }]);
    expect(memories.documents.size).toBe(5);
  });

  it('names a conversation that the store does not take, and goes on with the rest', async () => {
    const file = await writeExport(3);
    const picky = {
      ...memories,
      save: async (batch: Parameters<typeof memories.save>[0]) => {
        if (batch.some(({ content }) => content.includes('town 1'))) throw new ContextloomError('invalid', 'not taken');
        await memories.save(batch);
      },
    };
    const own = createImporting(picky, folder);
    const outcome = await own.run(file);
    expect(outcome).toMatchObject({ saved: 2, failed: 1, isStopped: false });
    expect(await own.journal.failures(outcome.id)).toEqual([{ title: 'T1', reason: 'not taken', retryable: false }]);
    await own.close();
  });

  it('of a long chat is one conversation, kept in parts that are the same each time', async () => {
    const file = join(folder, 'long.txt');
    const lines = Array.from({ length: 2_600 }, (_, at) => {
      const time = new Date(Date.UTC(2024, 0, 1, 0, 30 * at)).toISOString();
      return `${time.slice(8, 10)}/${time.slice(5, 7)}/${time.slice(0, 4)}, ${time.slice(11, 16)} - ${at % 2 === 0 ? 'Ann' : 'Ben'}: number ${at}`;
    });
    await writeFile(file, lines.join('\n'));
    expect(await get().run(file)).toMatchObject({ conversations: 1, failed: 0 });
    expect(await get().run(file)).toMatchObject({ conversations: 1, saved: 0, nothing: 2 });
    const all = [...memories.documents.values()].map(({ content }) => content).join('\n');
    expect(new Set(all.match(/number \d+/gu)).size).toBe(2_600);
    expect(await get().journal.list()).toMatchObject([{ conversations: 1 }]);
  });

  it('run twice at once does no harm', async () => {
    const file = await writeExport(4);
    await Promise.all([get().run(file), get().run(file)]);
    expect(memories.documents.size).toBe(4);
    expect(await get().journal.list()).toMatchObject([{ state: 'done', conversations: 4, saved: 4 }]);
  });
});

describe('undoing an import', () => {
  const undo = (id: string) =>
    undoImport(id, {
      memories,
      journal: get().journal,
      graph: NO_GRAPH,
      clock: () => new Date('2025-01-03T00:00:00Z'),
    });

  it('takes back what it added and nothing else; imported again, it is there again', async () => {
    const before = await get().run(await writeExport(2, 'first.json'));
    const after = await get().run(await writeExport(5, 'second.json'));
    expect(after).toMatchObject({ saved: 3, nothing: 2 });
    expect(await undo(after.id)).toMatchObject({ removed: 3 });
    expect(memories.documents.size).toBe(2);
    expect((await get().journal.get(after.id))?.state).toBe('undone');
    expect(await get().run(join(folder, 'second.json'))).toMatchObject({ saved: 3, nothing: 2 });
    expect(await undo(before.id)).toMatchObject({ removed: 2 });
    expect(memories.documents.size).toBe(3);
  });

  it('refuses an unknown one', async () => {
    await expect(undo('nope')).rejects.toMatchObject({ code: 'not_found', field: 'id' });
  });
});
