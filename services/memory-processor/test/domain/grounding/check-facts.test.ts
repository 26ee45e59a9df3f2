import { countTokens } from '@contextloom/llm';
import { describe, expect, it } from '@jest/globals';
import { readOne } from '../../../../../shared/transcripts/test/support/conversations.ts';
import type { FactDraft } from '../../../src/domain/grounding/answer/fact-draft.ts';
import { checkFacts, judgeFacts, MAX_FACTS } from '../../../src/domain/grounding/check-facts.ts';
import { toReadings } from '../../../src/domain/ingest/extract-window.ts';

/** Judges one fact of the first window of a conversation. */
function judge(history: string, fields: Partial<FactDraft> & { readonly content: string }) {
  const [reading] = toReadings(readOne(history), countTokens);
  if (reading === undefined) throw new Error('the conversation has no window');
  const draft: FactDraft = { importance: 5, memoryType: 'event', tags: [], evidence: ['1'], ...fields };
  const { facts, rejected } = checkFacts([draft], reading.window, reading.context);
  return facts[0] ?? rejected[0]?.reason;
}

const english = `# 2023-05-08
Caroline: I went to a support group yesterday with my three kids. We paid $1,250 for the trip, half of it from mom's dozen jars.
Melanie: Last week I read "Charlotte's Web" to them. Seven years now since I moved here from Sweden!
Caroline: On Friday I meet Dr. O'Neill at 7 pm, in the twenty-third street.`;
const chinese = `# 2024-03-05
林夏：昨天我和周启明去了人民路的茶馆，花了两百五，他养了三条狗。
周启明：下周二我去杭州面试，坐G1234次车。
林夏：我在读《海边的灯》，读了一百二十页了。七年前我妈在成都生的我弟。`;

describe('a fact that was said', () => {
  it.each([
    ['Caroline went to a support group with her 3 kids on 7 May 2023.', ['1']],
    ['Caroline paid $1250 for the trip in May 2023.', ['1']],
    ['Caroline used 12 jars of her mother.', ['1']],
    ['Melanie read "Charlotte\'s Web" in the week before 8 May 2023.', ['2']],
    ['Melanie moved from Sweden in 2016; the Swedish are far.', ['2']],
    ["Caroline meets Dr. O'Neill on 12 May 2023 at 19:00, in 23rd street.", ['3']],
  ])('in English is kept: %s', (content, evidence) => {
    expect(judge(english, { content, evidence })).toMatchObject({ content });
  });

  it.each([
    ['林夏2024年3月4日和周启明去了人民路的茶馆，花了250元。', ['1']],
    ['周启明养了3条狗。', ['1']],
    ['周启明2024年3月12日坐G1234次车去杭州面试。', ['2']],
    ['林夏在读《海边的灯》，读到了120页。', ['3']],
    ['林夏的弟弟2017年在成都出生。', ['3']],
  ])('in Chinese is kept: %s', (content, evidence) => {
    expect(judge(chinese, { content, evidence })).toMatchObject({ content });
  });
});

describe('what nobody said', () => {
  it.each([
    ['Caroline went to a support group with her 4 kids.', '4'],
    ['Caroline went to a support group with her four kids.', 'four'],
    ['Caroline paid $1,300 for the trip.', '1,300'],
    ['Caroline went to a support group on 7 May 2019.', '7'],
  ])('is told by its number: %s', (content, number) => {
    expect(judge(english, { content })).toBe(`number not in the evidence: ${number}`);
  });

  it.each([
    ['Caroline went to a support group with Sophie.', 'Sophie'],
    ['Sophie went to a support group.', 'Sophie'],
    ['Caroline read "War and Peace".', 'War'],
    ['Caroline went to a support group in Lyon.', 'Lyon'],
  ])('is told by its name: %s', (content, name) => {
    expect(judge(english, { content })).toBe(`name not in the conversation: ${name}`);
  });

  it.each([
    ['周启明养了四条狗。', 'number not in the evidence: 四'],
    ['周启明养了5条狗。', 'number not in the evidence: 5'],
    ['林夏2022年8月去了茶馆。', 'number not in the evidence: 2022'],
    ['林夏和王伟去了茶馆。', 'name not in the conversation: 王伟'],
    ['林夏和陈老师去了茶馆。', 'name not in the conversation: 陈老师'],
    ['林夏在读《百年孤独》。', 'name not in the conversation: 百年孤独'],
    ['林夏和Tom去了茶馆。', 'name not in the conversation: Tom'],
    ['Lin Xia went to a tea house.', 'not in the language of the conversation'],
  ])('is told in Chinese: %s', (content, reason) => {
    expect(judge(chinese, { content })).toBe(reason);
  });

  it('is told though it was said elsewhere: numbers belong to the evidence that is named', () => {
    expect(judge(english, { content: 'Caroline has lived here for seven years.', evidence: ['1'] })).toBe(
      'number not in the evidence: seven',
    );
  });
});

describe('when it happened', () => {
  it.each([
    ['2023-05-07', '1', '2023-05-07'],
    ['2023-05-07T00:00:00Z', '1', '2023-05-07T00:00:00Z'],
    ['2023-05-12', '3', '2023-05-12'],
    ['2016', '2', '2016-01-01'],
    ['2019-01-01', '1', undefined],
    ['2024-01-01', '3', undefined],
    ['soon', '1', undefined],
  ])('%s of turn %s is taken as %s', (occurredAt, turn, expected) => {
    const fact = judge(english, { content: 'They talked.', occurredAt, evidence: [turn] });
    expect(fact).toMatchObject({ content: 'They talked.' });
    expect((fact as { occurredAt?: string }).occurredAt).toBe(expected);
  });
});

describe('an answer', () => {
  it('gives at most so many facts', () => {
    const [reading] = toReadings(readOne(english), countTokens);
    if (reading === undefined) throw new Error('the conversation has no window');
    const drafts = Array.from({ length: MAX_FACTS + 3 }, (_, n): FactDraft => {
      const content = `Caroline went to a support group ${'again '.repeat(n)}.`;
      return { content, importance: 5, memoryType: 'event', tags: [], evidence: ['1'] };
    });
    const { facts, rejected } = checkFacts(drafts, reading.window, reading.context);
    expect([facts.length, rejected.length]).toEqual([MAX_FACTS, 3]);
    expect(rejected[0]?.reason).toBe(`more than ${MAX_FACTS} facts of one piece`);
  });

  it('says a thing twice when only case, blanks and punctuation differ', () => {
    const [reading] = toReadings(readOne('Anna: I have a pet and a set of 35 cups. They cost 3.5 each.'), countTokens);
    if (reading === undefined) throw new Error('the conversation has no window');
    const contents = ['Anna has a pet.', 'Anna has a set.', 'Anna has  a Pet', 'Anna has 35 cups.', 'A cup was 3.5.'];
    const drafts = contents.map(
      (content): FactDraft => ({ content, importance: 5, memoryType: 'event', tags: [], evidence: ['1'] }),
    );
    const { facts, rejected } = checkFacts(drafts, reading.window, reading.context);
    expect(facts.map(({ content }) => content)).toEqual(contents.filter((content) => !content.includes('  ')));
    expect(rejected).toEqual([expect.objectContaining({ content: 'Anna has  a Pet', reason: 'said twice' })]);
  });

  it('may name its evidence in many ways', () => {
    for (const evidence of [['1'], ['[1]'], ['(1)'], ['1-2'], ['1 – 3'], ['D9', '1']]) {
      expect(judge(english, { content: 'Caroline went to a support group.', evidence })).toMatchObject({
        evidence: expect.arrayContaining(['1']),
      });
    }
    expect(judge(english, { content: 'Caroline went.', evidence: ['3-1'] })).toBe('evidence does not exist: 3-1');
  });
});

describe('a fact of which something else was said', () => {
  it.each([
    ['I do yoga on Tuesdays.', 'Ann does yoga on Thursdays.', /^weekday/u],
    ['The wedding is on the 30th of August.', 'The wedding is on 30 June 2024.', /^month/u],
    ['我每周二练瑜伽。', 'Ann每周四练瑜伽。', /^weekday/u],
    ['面试在十点一刻。', 'Ann的面试在十点三刻。', /^number/u],
  ])('%s → %s', (text, content, reason) => {
    const turns = [{ label: '1', speaker: 'Ann', text, voice: 'person' as const }];
    const ground = { turns, before: [], speakers: ['Ann'], date: '2024-05-19', maxFacts: 12 };
    const draft = { content, importance: 5, memoryType: 'knowledge' as const, tags: [], evidence: ['1'] };
    expect(judgeFacts([draft], ground).rejected.map((one) => one.reason)).toEqual([expect.stringMatching(reason)]);
  });
});
