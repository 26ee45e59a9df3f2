import type { RecordedRequest, Step } from '@contextloom/testing/llm';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createMemoryProcessor } from '../../src/create-memory-processor.ts';
import { createKeptMemories, type KeptMemories } from '../support/memory-stores.ts';
import {
  drawOne,
  firstTurn,
  isSecond,
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
  supportAll,
  toAnswerText,
} from '../support/scripted-model.ts';

const running: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ endpoint }) => endpoint.close()));
});

async function build(options: ScriptedModelOptions, memories = createKeptMemories()) {
  const model = await startScriptedModel(options);
  running.push(model);
  return { ...model, memories, processor: createMemoryProcessor({ memories, extractor: model.extractor }) };
}

const films = (windows: number) => ({
  userId: 'anna',
  transcriptId: 'films',
  conversationHistory: Array.from({ length: windows * 6 }, (_, n) => `Anna: I saw film number ${n + 1}.`).join('\n'),
});
const countOf = ({ documents }: KeptMemories, isEpisode: boolean) =>
  [...documents.values()].filter(({ tags }) => tags.includes('episode') === isEpisode).length;

describe('a run with a model', () => {
  it('sends no window a second time that is recorded', async () => {
    const { processor, endpoint, memories } = await build({ chat: drawOne });
    const first = await processor.processTranscript(films(10));
    expect([endpoint.requests.length, first.saved.length]).toEqual([10, 20]);
    const again = await processor.processTranscript(films(10));
    expect([endpoint.requests.length, again.known, again.saved.length]).toEqual([10, 10, 0]);
    const grown = await processor.processTranscript(films(12));
    expect([endpoint.requests.length, grown.known]).toEqual([12, 10]);
    expect([countOf(memories, true), countOf(memories, false)]).toEqual([12, 12]);
  });

  it('does not have another model read again what one has read', async () => {
    const one = await build({ chat: drawOne });
    await one.processor.processTranscript(films(3));
    const other = await build({ chat: drawOne }, one.memories);
    const renamed = createMemoryProcessor({
      memories: one.memories,
      extractor: { ...other.extractor, info: { kind: 'model', name: 'another' } },
    });
    expect(await renamed.processTranscript(films(3))).toMatchObject({ known: 3 });
    expect(other.endpoint.requests).toEqual([]);
  });

  it('reads at most so many windows at once, and loses nothing in a burst of refusals', async () => {
    let refusals = 0;
    const { processor, endpoint, memories } = await build({
      concurrency: 4,
      chat: (request) => {
        refusals += 1;
        if (refusals > 3 && refusals <= 30) return { kind: 'error', status: 429, retryAfter: '0.02' };
        return { ...drawOne(request), delayMs: 10 };
      },
    });
    const outcome = await processor.processTranscript(films(40));
    expect(outcome).toMatchObject({ windows: 40, known: 0, isComplete: true, failed: [] });
    expect([countOf(memories, true), countOf(memories, false), outcome.usage.calls]).toEqual([40, 40, 40]);
    expect(endpoint.requests).toHaveLength(67);
    expect(endpoint.peak()).toBeLessThanOrEqual(4);
  });

  it('reads again later what the model could not be asked for, and leaves it alone meanwhile', async () => {
    let isDown = true;
    const { processor, endpoint, memories } = await build({
      attempts: 1,
      concurrency: 1,
      chat: (request) => (isDown ? { kind: 'error', status: 401 } : drawOne(request)),
    });
    const first = await processor.processTranscript(films(20));
    // A wrong key stays wrong: one window was enough to know it.
    expect([endpoint.requests.length, first.failed.length, first.saved.length]).toEqual([1, 20, 20]);
    isDown = false;
    const mended = await build({ chat: drawOne }, memories);
    const second = await mended.processor.processTranscript(films(20));
    expect([second.known, second.failed.length]).toEqual([0, 0]);
    expect([countOf(memories, true), countOf(memories, false)]).toEqual([20, 20]);
  });

  it('goes on with the others when a filter refuses some windows or answers are no text, and asks those no more', async () => {
    const refused: readonly (Step | undefined)[] = [
      ...Array.from({ length: 5 }, (): Step => ({ kind: 'error', status: 400, code: 'content_filter' })),
      { kind: 'rubbish', body: '{"choices":[{"message":{"content":[1]}}]}' },
    ];
    const chat = (request: RecordedRequest): Step => refused[Math.floor(firstTurn(request) / 6)] ?? drawOne(request);
    const { processor, endpoint, memories } = await build({ concurrency: 1, chat });
    const first = await processor.processTranscript(films(12));
    expect([first.failed.length, first.unread, first.isComplete]).toEqual([6, 0, true]);
    expect([countOf(memories, true), countOf(memories, false)]).toEqual([12, 6]);
    const asked = endpoint.requests.length;
    expect(await processor.processTranscript(films(12))).toMatchObject({ known: 12, unread: 0 });
    expect(endpoint.requests).toHaveLength(asked);
  });

  it('asks again for windows without facts only when it is told to', async () => {
    let isSilly = true;
    const { processor, endpoint, memories } = await build({
      chat: (request) => (isSilly ? { kind: 'answer', text: '?' } : drawOne(request)),
    });
    await processor.processTranscript(films(1));
    const paid = endpoint.requests.length;
    isSilly = false;
    expect(await processor.processTranscript(films(1))).toMatchObject({ known: 1 });
    expect(endpoint.requests).toHaveLength(paid);
    const retried = await processor.processTranscript({ ...films(1), retryFailed: true });
    expect([retried.failed, countOf(memories, false)]).toEqual([[], 1]);
    expect(await processor.processTranscript({ ...films(1), retryFailed: true })).toMatchObject({ known: 1 });
  });

  it('forgets the facts of a window that says other words', async () => {
    const answers = [
      toAnswerText(...[1, 2, 3].map((n) => ({ content: `Anna saw film number ${n}.`, evidence: [String(n)] }))),
      toAnswerText({ content: 'Anna saw film number 9.', evidence: ['2'] }),
    ];
    const { processor, memories } = await build({ chat: answers.map((text) => ({ kind: 'answer', text })) });
    const lines = films(1).conversationHistory.split('\n').slice(0, 3);
    await processor.processTranscript({ ...films(1), conversationHistory: lines.join('\n') });
    expect(countOf(memories, false)).toBe(3);
    const changed = [lines[0], 'Anna: I saw film number 9.'].join('\n');
    await processor.processTranscript({ ...films(1), conversationHistory: changed });
    expect([...memories.documents.values()].map(({ content }) => content)[0]).toBe('Anna saw film number 9.');
    expect([countOf(memories, true), countOf(memories, false)]).toEqual([1, 1]);
  });

  it('cleans up after a run that was cut off between saving and forgetting', async () => {
    const { processor, memories } = await build({ chat: drawOne });
    await processor.processTranscript(films(1));
    const [fact] = [...memories.documents.values()].filter(({ tags }) => !tags.includes('episode'));
    if (fact === undefined) throw new Error('there is no fact');
    memories.documents.set('fact-of-before', { ...fact, doc_id: 'fact-of-before' });
    await processor.processTranscript(films(1));
    expect(memories.documents.has('fact-of-before')).toBe(false);
    expect(countOf(memories, false)).toBe(1);
  });

  it('that is ended saves what was under way, and pays for nothing twice', async () => {
    const stop = new AbortController();
    const { processor, endpoint, memories } = await build({
      concurrency: 4,
      chat: (request) => ({ ...drawOne(request), delayMs: 40 }),
    });
    const outcome = await processor.processTranscript(films(30), {
      signal: stop.signal,
      onProgress: (done) => {
        if (done >= 5) stop.abort();
      },
    });
    expect(outcome.isComplete).toBe(false);
    expect(countOf(memories, true)).toBe(endpoint.requests.length);
    await processor.processTranscript(films(30));
    expect(endpoint.requests).toHaveLength(30);
    expect([countOf(memories, true), countOf(memories, false)]).toEqual([30, 30]);
  });

  it('does not run ahead of a slow knowledge base by more than a kill may cost', async () => {
    const memories = createKeptMemories();
    const sentUnsaved: number[] = [];
    const slow: KeptMemories = {
      ...memories,
      save: async (batch) => {
        await new Promise((resolve) => setTimeout(resolve, 60));
        sentUnsaved.push(model.endpoint.requests.length - countOf(memories, true));
        await memories.save(batch);
      },
    };
    const model = await build({ chat: drawOne, concurrency: 4 }, slow);
    await model.processor.processTranscript(films(40));
    expect([countOf(memories, true), countOf(memories, false)]).toEqual([40, 40]);
    expect(Math.max(...sentUnsaved)).toBeLessThanOrEqual(8);
  });

  it('does not run ahead of a window that takes the model long, which those after it wait for', async () => {
    const memories = createKeptMemories();
    const sentUnsaved: number[] = [];
    const watched: KeptMemories = {
      ...memories,
      save: async (batch) => {
        sentUnsaved.push(model.endpoint.requests.length - countOf(memories, true));
        await memories.save(batch);
      },
    };
    const chat = (request: RecordedRequest) => ({ ...drawOne(request), delayMs: firstTurn(request) === 1 ? 400 : 0 });
    const model = await build({ chat, concurrency: 4 }, watched);
    await model.processor.processTranscript(films(40));
    expect([countOf(memories, true), countOf(memories, false)]).toEqual([40, 40]);
    expect(Math.max(...sentUnsaved)).toBeLessThanOrEqual(8);
  });

  it('tells before what it would ask, and then asks as much', async () => {
    const chat = (request: RecordedRequest): Step => (isSecond(request) ? supportAll(request) : drawOne(request));
    const { processor, endpoint } = await build({ chat, checkFacts: 'all' });
    const { usage, windows, known } = await processor.estimateTranscript(films(10));
    expect([endpoint.requests.length, windows, known, usage.calls]).toEqual([0, 10, 0, 20]);
    const { usage: real } = await processor.processTranscript(films(10));
    expect(real.calls).toBe(usage.calls);
    // The scripted endpoint counts the messages; real ones count the schema as well.
    expect(Math.abs(real.inputTokens / (usage.inputTokens - 10 * 150) - 1)).toBeLessThan(0.05);
    expect((await processor.estimateTranscript(films(10))).usage.calls).toBe(0);
  });

  it('gives the best fact as the one memory of a conversation, and null when the model finds none', async () => {
    const { processor } = await build({
      chat: [
        { kind: 'answer', text: toAnswerText({ content: 'Anna saw film number 2.', evidence: ['2'], importance: 7 }) },
        { kind: 'answer', text: '{"no_memory":true}' },
      ],
    });
    const { conversationHistory } = films(1);
    expect(await processor.extractAndRateMemory(conversationHistory)).toEqual({
      summary: 'Anna saw film number 2.',
      importance: 7,
    });
    expect(await processor.extractAndRateMemory(conversationHistory)).toBeNull();
  });
});
