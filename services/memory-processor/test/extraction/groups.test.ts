import type { RecordedRequest, Step } from '@contextloom/testing/llm';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createMemoryProcessor } from '../../src/create-memory-processor.ts';
import type { FactCheck } from '../../src/extraction/ask-support.ts';
import { createKeptMemories } from '../support/memory-stores.ts';
import { createScriptedExtractor, toFact } from '../support/scripted-extractor.ts';
import {
  isSecond,
  labelsOf,
  type ScriptedModel,
  startScriptedModel,
  supportAll,
  toAnswerText,
} from '../support/scripted-model.ts';

const running: ScriptedModel[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map(({ endpoint }) => endpoint.close()));
});

const TURNS = 40;
const toFilms = (turns: number) =>
  Array.from({ length: turns }, (_, at) => `Anna: I saw film number ${at + 1}.`).join('\n');
const conversationHistory = toFilms(TURNS);
const request = { userId: 'anna', transcriptId: 'films', conversationHistory };
/** A fact of every turn that is asked about whose number is a multiple of five. */
const drawFives = (asked: RecordedRequest): Step & { readonly kind: 'answer' } => {
  const labels = labelsOf(asked).filter((label) => label % 5 === 0);
  const facts = labels.map((label) => ({ content: `Anna saw film number ${label}.`, evidence: [String(label)] }));
  return { kind: 'answer', text: toAnswerText(...facts) };
};

async function run(chat: (asked: RecordedRequest) => Step, checkFacts: FactCheck = 'off') {
  const model = await startScriptedModel({ chat, maxGroupTokens: 1_500, checkFacts });
  running.push(model);
  const memories = createKeptMemories();
  const processor = createMemoryProcessor({ memories, extractor: model.extractor });
  const estimated = await processor.estimateTranscript(request);
  const outcome = await processor.processTranscript(request);
  const again = await processor.processTranscript(request);
  const kept = [...memories.documents.values()];
  const episodes = kept.filter(({ tags }) => tags.includes('episode'));
  const facts = kept.filter(({ tags }) => !tags.includes('episode'));
  return { model, outcome, again, estimated, episodes, facts };
}

describe('windows that follow each other', () => {
  it('are read in one call, and each fact is kept with the window that says it', async () => {
    const { model, outcome, again, estimated, episodes, facts } = await run(
      (asked) => (isSecond(asked) ? supportAll(asked) : drawFives(asked)),
      'all',
    );
    expect([model.endpoint.requests.length, estimated.usage.calls, outcome.usage.calls]).toEqual([2, 2, 2]);
    expect([episodes.length, facts.length, again.known]).toEqual([7, 8, 7]);
    for (const { content, metadata } of facts) {
      const own = episodes.find(({ doc_id: id }) => id === metadata['episode']);
      expect(own?.content.split('\n')).toContain(content.replace('Anna saw', 'Anna: I saw'));
    }
    expect(episodes.map(({ metadata }) => metadata['facts'])).toEqual([1, 1, 1, 1, 2, 1, 1]);
  });

  it.each([
    ['with what is left of the session, where it is little', 56, [56]],
    ['without what is left, where it is more than a third', 80, [48, 32]],
  ])('are read %s', async (_name, films, expected) => {
    const model = await startScriptedModel({ chat: drawFives, maxGroupTokens: 500 });
    running.push(model);
    const processor = createMemoryProcessor({ memories: createKeptMemories(), extractor: model.extractor });
    await processor.processTranscript({ ...request, conversationHistory: toFilms(films) });
    expect(model.endpoint.requests.map((asked) => labelsOf(asked).length)).toEqual(expected);
  });

  it('are read one by one when the whole is refused, so that a filter takes one window alone', async () => {
    const { facts, outcome, episodes } = await run((asked) =>
      labelsOf(asked).includes(10) ? { kind: 'error', status: 400, code: 'content_filter' } : drawFives(asked),
    );
    expect([episodes.length, facts.length, outcome.failed.length]).toEqual([7, 7, 1]);
    expect(outcome.failed[0]?.source).toBe('films 7-12');
  });

  it('are all saved when the run is stopped while they are being begun', async () => {
    const stop = new AbortController();
    const memories = createKeptMemories();
    const scripted = createScriptedExtractor(({ ordinal }) => {
      stop.abort();
      return [toFact(`Anna saw the film of window ${ordinal}.`, 6)];
    });
    const extractor = { ...scripted, maxGroupTokens: 1_500, concurrency: 1 };
    const processor = createMemoryProcessor({ memories, extractor });
    const twice = [0, TURNS].map((skip) => conversationHistory.replaceAll(/\d+/gu, (at) => String(Number(at) + skip)));
    const long = { ...request, conversationHistory: twice.join('\n') };
    const { isComplete, saved } = await processor.processTranscript(long, { signal: stop.signal });
    // One call reads eight windows at most.
    expect([isComplete, scripted.read.length, saved.length]).toEqual([false, 8, 16]);
  });
});
