import type { RecordedRequest, Step } from '@contextloom/testing/llm';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createBudget } from '../../src/command/budget.ts';
import { createMemoryProcessor } from '../../src/create-memory-processor.ts';
import type { Usage } from '../../src/domain/extractor.ts';
import { createConversationPool } from '../../src/domain/ingest/conversation-pool.ts';
import type { MemoryProcessor } from '../../src/domain/memory-processor.ts';
import { createKeptMemories } from '../support/memory-stores.ts';
import { drawOne, type ScriptedModel, startScriptedModel, toAnswerText } from '../support/scripted-model.ts';

const running: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ endpoint }) => endpoint.close()));
});

const CONVERSATIONS = 30;
const CONCURRENCY = 4;
/** One window each, so that one conversation alone never makes two calls at once. */
const toRequest = (number: number) => ({
  userId: 'anna',
  transcriptId: `t${number}`,
  conversationHistory: `Anna: I saw film number ${number}.`,
});
const drawFilm = ({ body }: RecordedRequest): Step & { readonly kind: 'answer' } => {
  const [, number] = /film number (\d+)/u.exec(String(body.messages?.[1]?.content)) ?? [];
  return { kind: 'answer', text: toAnswerText({ content: `Anna saw film number ${number}.` }) };
};

async function start(chat: (request: RecordedRequest) => Step) {
  const model = await startScriptedModel({ chat, concurrency: CONCURRENCY });
  running.push(model);
  return model;
}

async function recordAll(processor: MemoryProcessor, signal = new AbortController().signal): Promise<void> {
  const pool = createConversationPool(processor.concurrency);
  for (let number = 1; number <= CONVERSATIONS && !signal.aborted; number += 1) {
    const request = toRequest(number);
    await pool.add(request.transcriptId, async () => {
      // One that was not begun when the run was ended is left for the next.
      await processor.processTranscript(request, { signal }).catch((error: unknown) => {
        if (!signal.aborted) throw error;
      });
    });
  }
  await pool.finish();
}

const count = (memories: ReturnType<typeof createKeptMemories>, tag: string): number =>
  [...memories.documents.values()].filter(({ tags }) => tags.includes(tag)).length;

describe('conversations side by side', () => {
  it('are asked about as many at once as the model takes', async () => {
    let resolve = (): void => undefined;
    const promise = new Promise<void>((open) => {
      resolve = open;
    });
    // Nobody is answered before so many have asked.
    const model = await start((request) => {
      if (model.endpoint.requests.length >= CONCURRENCY) resolve();
      return { ...drawFilm(request), until: promise };
    });
    const memories = createKeptMemories();
    await recordAll(createMemoryProcessor({ memories, extractor: model.extractor }));
    expect([count(memories, 'episode'), memories.documents.size]).toEqual([CONVERSATIONS, 2 * CONVERSATIONS]);
    expect(model.endpoint.peak()).toBe(CONCURRENCY);
  });

  it('together do not run ahead of the knowledge base by more than a kill may cost', async () => {
    const memories = createKeptMemories();
    const unsaved: number[] = [];
    const slow = {
      ...memories,
      save: async (batch: Parameters<typeof memories.save>[0]) => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        unsaved.push(model.endpoint.requests.length - count(memories, 'episode'));
        await memories.save(batch);
      },
    };
    const model = await start(drawOne);
    const processor = createMemoryProcessor({ memories: slow, extractor: model.extractor });
    const conversationHistory = Array.from({ length: 60 }, (_, at) => `Anna: I saw film number ${at + 1}.`).join('\n');
    await Promise.all(
      ['a', 'b', 'c'].map((transcriptId) =>
        processor.processTranscript({ userId: `anna ${transcriptId}`, transcriptId, conversationHistory }),
      ),
    );
    expect(count(memories, 'episode')).toBe(30);
    expect(Math.max(...unsaved)).toBeLessThanOrEqual(2 * CONCURRENCY);
  });

  it('that are one and the same come one after the other', async () => {
    const order: string[] = [];
    const pool = createConversationPool(4);
    const toWork = (name: string) => async () => {
      order.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`${name} ends`);
    };
    await pool.add('one', toWork('a'));
    await pool.add('one', toWork('b'));
    await pool.finish();
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });
});

describe('a run with a budget', () => {
  const price = ({ inputTokens }: Usage) => ({ usd: inputTokens / 1_000, basis: 'by the test' });

  it.each([
    ['tokens', { maxTokens: 5_000 }],
    ['dollars', { maxCost: 5 }],
  ])('of %s ends cleanly, and the next one goes on where it ended', async (_name, bounds) => {
    const model = await start(drawFilm);
    const memories = createKeptMemories();
    const budget = createBudget(bounds, price, new AbortController().signal);
    const { extractor } = model;
    await recordAll(createMemoryProcessor({ memories, extractor, onUsage: budget.onUsage }), budget.signal);
    const asked = model.endpoint.requests.length;
    expect(budget.reached()).toBeDefined();
    expect(asked).toBeLessThan(CONVERSATIONS);
    expect(count(memories, 'episode')).toBe(asked);
    await recordAll(createMemoryProcessor({ memories, extractor }));
    expect([model.endpoint.requests.length, count(memories, 'episode')]).toEqual([CONVERSATIONS, CONVERSATIONS]);
  });

  it('of dollars is refused where nobody knows the price', () => {
    const signal = new AbortController().signal;
    expect(() => createBudget({ maxCost: 1 }, () => ({ basis: 'no price is known' }), signal)).toThrow(/--max-cost/u);
  });
});

describe('a run', () => {
  it('that fails tells what it has asked for', async () => {
    const model = await start(drawFilm);
    const memories = createKeptMemories({ failAfter: 2 });
    const processor = createMemoryProcessor({ memories, extractor: model.extractor });
    await expect(recordAll(processor)).rejects.toThrow('the knowledge base went away');
    expect(processor.spent.calls).toBe(model.endpoint.requests.length);
  });

  it('reads all again when it is asked to, and keeps what the new reader says alone', async () => {
    const memories = createKeptMemories();
    const request = { ...toRequest(1), conversationHistory: 'Anna: I saw a film in Lyon. I own two cats and a boat.' };
    const say = async (...contents: readonly string[]) => {
      const facts = contents.map((content) => ({ content }));
      const { extractor } = await start(() => ({ kind: 'answer', text: toAnswerText(...facts) }));
      const outcome = await createMemoryProcessor({ memories, extractor }).processTranscript({
        ...request,
        reread: true,
      });
      const kept = [...memories.documents.values()].filter(({ tags }) => !tags.includes('episode'));
      return { outcome, kept: kept.map(({ content }) => content) };
    };
    await say('Anna saw a film in Lyon.', 'Anna owns two cats.', 'Anna owns a boat.');
    const { kept, outcome } = await say('Anna owns a boat.');
    expect([kept, outcome.notSaved, outcome.known]).toEqual([['Anna owns a boat.'], [], 0]);
  });

  it.each([
    ['refuses', { kind: 'refusal', text: 'no' }],
    ['answers nonsense', { kind: 'answer', text: '?' }],
    ['cannot be asked', { kind: 'error', status: 500 }],
  ] as const)('keeps what an earlier reader said where the new one %s', async (_name, step) => {
    const memories = createKeptMemories();
    const request = { ...toRequest(1), conversationHistory: 'Anna: I own two cats and a boat.' };
    const read = async (answer: Step) => {
      const { extractor } = await start(() => answer);
      const processor = createMemoryProcessor({ memories, extractor });
      return processor.processTranscript({ ...request, reread: true });
    };
    await read({ kind: 'answer', text: toAnswerText({ content: 'Anna owns two cats.' }) });
    const toContents = (): readonly string[] => [...memories.documents.values()].map(({ content }) => content).sort();
    const before = toContents();
    const { failed } = await read(step);
    expect([failed.length, toContents()]).toEqual([1, before]);
    // Nor does a later run take them for leftovers.
    const { extractor } = await start(() => step);
    await createMemoryProcessor({ memories, extractor }).processTranscript(request);
    expect(toContents()).toEqual(before);
  });
});
