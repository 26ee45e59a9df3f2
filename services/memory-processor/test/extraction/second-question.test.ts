import { createChatModel } from '@contextloom/llm';
import { silentLog } from '@contextloom/runtime';
import { type RecordedRequest, type Step, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createMemoryProcessor } from '../../src/create-memory-processor.ts';
import { createRulesExtractor } from '../../src/domain/rules-extractor.ts';
import type { FactCheck } from '../../src/extraction/ask-support.ts';
import { createModelExtractor } from '../../src/extraction/model-extractor.ts';
import { createKeptMemories, type KeptMemories } from '../support/memory-stores.ts';
import { claimsOf, isSecond, supportAll, toAnswerText } from '../support/scripted-model.ts';

const running: { readonly close: () => Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((endpoint) => endpoint.close()));
});

interface Asked {
  readonly history: string;
  readonly drafts: readonly Readonly<Record<string, unknown>>[];
  readonly second: (request: RecordedRequest, asked: number) => Step;
  readonly checkFacts?: FactCheck;
  readonly memories?: KeptMemories;
}

/** What becomes of the facts that a model draws, when it answers the second question so; checked as by default unless told. */
async function start({ drafts, second, checkFacts, memories = createKeptMemories() }: Omit<Asked, 'history'>) {
  let asked = 0;
  const endpoint = await startScriptedOpenAi({
    chat: (request) => {
      if (!isSecond(request)) return { kind: 'answer', text: toAnswerText(...drafts) };
      asked += 1;
      return second(request, asked);
    },
  });
  running.push(endpoint);
  const { url: baseUrl, apiKey } = endpoint;
  const model = await createChatModel({ model: 'scripted', baseUrl, apiKey, attempts: 1 });
  const extractor = createModelExtractor({
    model,
    rules: createRulesExtractor(),
    concurrency: 1,
    checkFacts,
    price: () => ({ basis: 'free' }),
    log: silentLog,
  });
  const processor = createMemoryProcessor({ memories, extractor });
  return {
    memories,
    processor,
    questions: () => endpoint.requests.filter(isSecond),
    factsNow: () => [...memories.documents.values()].filter(({ tags }) => !tags.includes('episode')),
    episodesNow: () => [...memories.documents.values()].filter(({ tags }) => tags.includes('episode')),
  };
}

async function become({ history, ...asked }: Asked) {
  const started = await start(asked);
  const conversation = { userId: 'ann', conversationHistory: history };
  const estimate = await started.processor.estimateTranscript(conversation);
  const outcome = await started.processor.processTranscript(conversation);
  return { ...started, estimate, outcome, facts: started.factsNow().map(({ content }) => content) };
}

const HISTORY = `# 2024-03-05
Ann: I never drink coffee. I have a cat called Miso.
Bob: I climb mountains.`;
const sober = { content: 'Ann drinks coffee.', evidence: ['1'] };
const cat = { content: 'Ann has a cat called Miso.', evidence: ['1'] };
const climbs = { content: 'Ann climbs mountains.', evidence: ['2'] };
const drafts = [sober, cat, climbs];
const say = (value: unknown): Step => ({ kind: 'answer', text: JSON.stringify(value) });
const verdicts = (...each: readonly string[]): Step => say({ verdicts: each });

describe('facts of a window', () => {
  it('are all asked about in one question by default, which decides', async () => {
    const second = () => verdicts('1 contradicted', '2 supported', '3 not_said');
    const { facts, questions, outcome } = await become({ history: HISTORY, drafts, second });
    expect(questions()).toHaveLength(1);
    expect(String(questions()[0]?.body.messages?.[1]?.content)).toBe(`Turns (2024-03-05):
[1] Ann: I never drink coffee. I have a cat called Miso.
[2] Bob: I climb mountains.
Claims:
1 [1]: Ann drinks coffee.
2 [1]: Ann has a cat called Miso.
3 [2]: Ann climbs mountains.`);
    expect(facts).toEqual([cat.content]);
    expect(outcome.notSaved.map(({ content, reason }) => [content, reason]).sort()).toEqual([
      [climbs.content, 'said by Bob'],
      [sober.content, 'not said'],
    ]);
    expect([outcome.usage.calls, outcome.failed]).toEqual([2, []]);
  });

  it('are kept where the model says that they were said, though the exact checks doubt it', async () => {
    const { facts } = await become({ history: HISTORY, drafts, second: supportAll });
    expect(facts.sort()).toEqual([cat.content, climbs.content, sober.content].sort());
  });

  it.each<[FactCheck, readonly string[] | undefined, readonly string[]]>([
    ['off', undefined, [sober.content, cat.content]],
    ['doubtful', [climbs.content], [sober.content, cat.content, climbs.content]],
    ['all', [sober.content, cat.content, climbs.content], [sober.content, cat.content, climbs.content]],
  ])('are asked about as LLM_CHECK_FACTS says: %s', async (checkFacts, claims, kept) => {
    const { questions, facts, estimate, outcome } = await become({
      history: HISTORY,
      drafts,
      second: supportAll,
      checkFacts,
    });
    expect(questions().map(claimsOf)).toEqual(claims === undefined ? [] : [claims]);
    expect(facts.sort()).toEqual([...kept].sort());
    expect(estimate.usage.calls).toBe(outcome.usage.calls);
  });

  it('are not asked about when there are none', async () => {
    const { questions } = await become({ history: HISTORY, drafts: [], second: supportAll });
    expect(questions()).toEqual([]);
  });

  it('that exact checks refuse are not asked about', async () => {
    const invented = { content: 'Ann has 3 cats.', evidence: ['1'] };
    const { questions, outcome } = await become({ history: HISTORY, drafts: [invented, cat], second: supportAll });
    expect(questions().map(claimsOf)).toEqual([[cat.content]]);
    expect(outcome.notSaved).toMatchObject([{ content: invented.content, reason: 'number not in the evidence: 3' }]);
  });
});

describe('what is no fact', () => {
  it.each<[kind: string, said: string, wrong: string, right: string]>([
    ['denied', 'Ann: I never drink coffee, only tea.', 'Ann drinks coffee.', 'Ann drinks only tea.'],
    ['a condition', 'Ann: If I win, I buy a boat.', 'Ann buys a boat.', 'Ann would buy a boat if she won.'],
    ['a jest', 'Ann: I sold my car. Just kidding! I love my car.', 'Ann sold her car.', 'Ann loves her car.'],
    ["another's", 'Ann: My sister plays the violin.', 'Ann plays the violin.', "Ann's sister plays the violin."],
    ['the contrary', 'Ann: I adore opera.', 'Ann hates opera.', 'Ann adores opera.'],
    ['over', 'Ann: I quit smoking.', 'Ann smokes.', 'Ann quit smoking.'],
    ['planned', 'Ann: I signed up for a race.', 'Ann ran a race.', 'Ann signed up for a race.'],
    ['asked', 'Ann: Should I get a parrot? I have a cat.', 'Ann gets a parrot.', 'Ann has a cat.'],
    ['quoted', 'Ann: The ad said "I own a kayak". I have a bike.', 'Ann owns a kayak.', 'Ann has a bike.'],
    ['turned round', 'Ann: We drove from Leeds to Cork.', 'Ann drove from Cork to Leeds.', 'Ann drove to Cork.'],
    ['denied', 'Ann：我从来不喝咖啡，只喝茶。', 'Ann喝咖啡。', 'Ann只喝茶。'],
    ['a condition', 'Ann：如果有钱我就买房。', 'Ann买房了。', 'Ann有钱就买房。'],
    ["another's", 'Ann：我妹妹会弹钢琴。', 'Ann会弹钢琴。', 'Ann的妹妹会弹钢琴。'],
    ['over', 'Ann：烟我已经戒了。', 'Ann抽烟。', 'Ann戒烟了。'],
  ])('(%s) is shown to the model with its turn, and not saved as one: %s', async (_kind, said, wrong, right) => {
    const second = (request: RecordedRequest): Step => {
      expect(String(request.body.messages?.[1]?.content)).toContain(said.replace('：', ': '));
      return verdicts(
        ...claimsOf(request).map((claim, at) => `${at + 1} ${claim === right ? 'supported' : 'not_said'}`),
      );
    };
    const both = [wrong, right].map((content) => ({ content, evidence: ['1'] }));
    const { facts, outcome } = await become({ history: said, drafts: both, second });
    expect(facts).toEqual([right]);
    expect(outcome.notSaved.map(({ content }) => content)).toEqual([wrong]);
  });
});

describe('the turns of a second question', () => {
  const filler = 'and so on and on and on about the weather, as people do, '.repeat(4);
  const win = 'If I win, I buy a boat.';
  it.each<[string, readonly string[], RegExp]>([
    ['the end of a question', [`Ben: ${filler}why?`, `Ann: ${win}`], /^Ben: ….{70,79}why\?\n\[1\] Ann: If/mu],
    ['the end of the turn before', [`Ben: ${filler}so.`, `Ann: ${win}`], /^Ben: ….{20,29}so\.\n\[1\] Ann: If/mu],
    ['a short reply', [`Ann: ${win}`, 'Ben: Haha, you wish.'], /\[1\] Ann: If.*\nBen: Haha, you wish\.\nClaims/u],
    ['its speaker going on', [`Ann: ${win}`, `Ann: Kidding, ${filler}`], /boat\.\nAnn: Kidding, .{20,40}…\nClaims/u],
    ['no other', ['Ben: x1.', 'Ben: x2.', `Ann: ${win}`, `Ben: ${filler}`], /:\nBen: x2\.\n\[1\] Ann: If.*\nClaims/u],
  ])('are the evidence, and %s', async (_name, lines, shown) => {
    const label = String(lines.findIndex((line) => line.includes(win)) + 1);
    const boat = { content: 'Ann has a boat.', evidence: [label] };
    const { questions } = await become({ history: lines.join('\n'), drafts: [boat], second: supportAll });
    expect(String(questions()[0]?.body.messages?.[1]?.content)).toMatch(shown);
  });
});

describe('a second question that is not answered', () => {
  it.each<[string, Step, number]>([
    ['with nonsense', { kind: 'answer', text: '?' }, 2],
    ['with verdicts of other claims', verdicts('9 supported'), 2],
    ['with two verdicts of one claim', verdicts(...[1, 2, 3].flatMap((n) => [`${n} supported`, `${n} not_said`])), 2],
    ['with numbers in place of verdicts', say({ verdicts: [1, 2, null, {}] }), 2],
    ['as the first one was', { kind: 'answer', text: toAnswerText(cat) }, 2],
    ['by a refusal', { kind: 'refusal', text: 'no' }, 1],
    ['since a filter does not let it pass', { kind: 'error', status: 400, code: 'content_filter' }, 1],
  ])(
    '%s is asked once more if that may help; exact checks decide, and the window is shown',
    async (_name, step, calls) => {
      const { facts, questions, outcome, episodesNow } = await become({ history: HISTORY, drafts, second: () => step });
      expect(questions()).toHaveLength(calls);
      expect(facts).toEqual([sober.content, cat.content]);
      expect(outcome.notSaved.map(({ reason }) => reason)).toEqual(['said by Bob']);
      const reason = 'the model gave no verdict on 3 of 3 facts, which only exact checks have decided';
      expect(outcome.failed).toMatchObject([{ reason }]);
      expect(episodesNow()[0]?.metadata).toMatchObject({ extraction_failure: reason });
    },
  );

  it('in part is asked once more about the rest alone', async () => {
    const second = (_request: RecordedRequest, asked: number) =>
      asked === 1 ? verdicts('1 contradicted') : verdicts('1 supported', '2 not_said');
    const { facts, questions, outcome } = await become({ history: HISTORY, drafts, second });
    expect(questions().map(claimsOf)).toEqual([
      [sober.content, cat.content, climbs.content],
      [cat.content, climbs.content],
    ]);
    expect([facts, outcome.failed, outcome.usage.calls]).toEqual([[cat.content], [], 3]);
  });

  it('is asked again when it is told to, with the window', async () => {
    let isSilly = true;
    const second = (request: RecordedRequest): Step => (isSilly ? say('?') : decide(request));
    const decide = (request: RecordedRequest): Step =>
      verdicts(
        ...claimsOf(request).map((claim, at) => `${at + 1} ${claim === cat.content ? 'supported' : 'not_said'}`),
      );
    const { processor, factsNow } = await become({ history: HISTORY, drafts, second });
    isSilly = false;
    const again = { userId: 'ann', conversationHistory: HISTORY };
    expect(await processor.processTranscript(again)).toMatchObject({ known: 1, failed: [] });
    expect(await processor.processTranscript({ ...again, retryFailed: true })).toMatchObject({ failed: [] });
    expect(factsNow().map(({ content }) => content)).toEqual([cat.content]);
  });

  it.each<[string, Step]>([
    ['fails', { kind: 'error', status: 500 }],
    ['breaks off', { kind: 'cut' }],
    ['takes the key no more', { kind: 'error', status: 401 }],
  ])('since the endpoint %s leaves the window to the next run: nothing unchecked is saved', async (_name, step) => {
    const first = await become({ history: HISTORY, drafts: [cat], second: () => step });
    expect([first.facts, first.outcome.failed.length]).toEqual([[], 1]);
    expect(first.episodesNow().map(({ metadata }) => metadata['extractor'])).toEqual(['rules']);
    const { memories } = first;
    const next = await become({ history: HISTORY, drafts: [cat], second: supportAll, memories });
    expect([next.facts, next.outcome.failed]).toEqual([[cat.content], []]);
    expect(next.episodesNow().map(({ metadata }) => metadata['extractor'])).toEqual(['scripted']);
  });
});
