import type { RecordedRequest, Step } from '@contextloom/testing/llm';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createBudget } from '../../src/command/budget.ts';
import { createMemoryProcessor } from '../../src/create-memory-processor.ts';
import { createKeptMemories, type KeptMemories } from '../support/memory-stores.ts';
import { drawOne, firstTurn, type ScriptedModel, startScriptedModel } from '../support/scripted-model.ts';

const running: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ endpoint }) => endpoint.close()));
});

/** Windows of six turns. */
const WINDOWS = 8;
const conversationHistory = Array.from({ length: 6 * WINDOWS }, (_, at) => `Anna: I saw film number ${at + 1}.`).join(
  '\n',
);
/** The window that a request asks about, or a half of it, by the number of its first turn. */
const toFilm = (request: RecordedRequest): number => firstTurn(request) - ((firstTurn(request) - 1) % 6);
const FIRST_READING = new Date('2026-01-01T00:00:00Z');
/** When the reading again began. */
const SINCE = new Date('2026-02-01T00:00:00Z');

async function start(chat: (request: RecordedRequest) => Step): Promise<ScriptedModel> {
  const model = await startScriptedModel({ chat, concurrency: 2 });
  running.push(model);
  return model;
}

interface Again {
  readonly chat: (request: RecordedRequest) => Step;
  readonly wanted: { readonly reread?: boolean; readonly retryFailed?: boolean };
  readonly maxTokens?: number;
}

/** Reads again, until so many tokens are used; answers how often a window was asked about. */
async function readAgain(memories: KeptMemories, { chat, wanted, maxTokens }: Again) {
  const { endpoint, extractor } = await start(chat);
  const bounds = maxTokens === undefined ? {} : { maxTokens };
  const budget = createBudget(bounds, () => ({ basis: 'by the test' }), new AbortController().signal);
  const clock = (): Date => SINCE;
  const processor = createMemoryProcessor({ memories, extractor, clock, onUsage: budget.onUsage });
  const request = { userId: 'anna', transcriptId: 't', conversationHistory };
  const rereadSince = SINCE.toISOString();
  const outcome = await processor.processTranscript({ ...request, ...wanted, rereadSince }, { signal: budget.signal });
  return { outcome, films: endpoint.requests.map(toFilm) };
}

async function readFirst(chat: (request: RecordedRequest) => Step): Promise<KeptMemories> {
  const memories = createKeptMemories();
  const { extractor } = await start(chat);
  const processor = createMemoryProcessor({ memories, extractor, clock: () => FIRST_READING });
  await processor.processTranscript({ userId: 'anna', transcriptId: 't', conversationHistory });
  return memories;
}

const toContents = ({ documents }: KeptMemories): readonly string[] =>
  [...documents.values()].map(({ content }) => content).sort();

describe('a reading again that was ended early', () => {
  it('goes on where it ended, and asks about no window twice', async () => {
    const memories = await readFirst(drawOne);
    const before = toContents(memories);
    const first = await readAgain(memories, { chat: drawOne, wanted: { reread: true }, maxTokens: 3_000 });
    expect(first.outcome.isComplete).toBe(false);
    const second = await readAgain(memories, { chat: drawOne, wanted: { reread: true } });
    const asked = [...first.films, ...second.films];
    expect([asked.length, new Set(asked).size, second.outcome.isComplete]).toEqual([WINDOWS, WINDOWS, true]);
    expect((await readAgain(memories, { chat: drawOne, wanted: { reread: true } })).films).toEqual([]);
    expect(toContents(memories)).toEqual(before);
  });

  it('asks once about a window whose new answer is of no use, and keeps what is known of it', async () => {
    const memories = await readFirst(drawOne);
    const before = toContents(memories);
    const chat = (): Step => ({ kind: 'refusal', text: 'no' });
    const first = await readAgain(memories, { chat, wanted: { reread: true }, maxTokens: 3_000 });
    const second = await readAgain(memories, { chat, wanted: { reread: true } });
    const asked = [...first.films, ...second.films];
    expect(first.outcome.isComplete).toBe(false);
    expect(new Set(asked).size).toBe(WINDOWS);
    expect(first.films.filter((film) => second.films.includes(film))).toEqual([]);
    expect(toContents(memories)).toEqual(before);
    const episodes = [...memories.documents.values()].filter(({ tags }) => tags.includes('episode'));
    expect(episodes.map(({ metadata }) => [metadata['facts'], metadata['extraction_failure'] !== undefined])).toEqual(
      episodes.map(() => [1, true]),
    );
  });

  it('tries each window that failed once, also where it fails again', async () => {
    const refuse = (): Step => ({ kind: 'refusal', text: 'no' });
    const memories = await readFirst(refuse);
    const first = await readAgain(memories, { chat: refuse, wanted: { retryFailed: true }, maxTokens: 3_000 });
    expect(first.outcome.isComplete).toBe(false);
    const second = await readAgain(memories, { chat: drawOne, wanted: { retryFailed: true } });
    expect(first.films.filter((film) => second.films.includes(film))).toEqual([]);
    expect(new Set([...first.films, ...second.films]).size).toBe(WINDOWS);
  });

  it('reads again what the model could not be asked for', async () => {
    const memories = await readFirst(drawOne);
    const chat = (): Step => ({ kind: 'error', status: 500 });
    const { outcome } = await readAgain(memories, { chat, wanted: { reread: true } });
    expect(outcome.unread).toBe(WINDOWS);
    const second = await readAgain(memories, { chat: drawOne, wanted: { reread: true } });
    expect(new Set(second.films).size).toBe(WINDOWS);
  });
});
