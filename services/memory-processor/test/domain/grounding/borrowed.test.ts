import { describe, expect, it } from '@jest/globals';
import { judgeFacts } from '../../../src/domain/grounding/check-facts.ts';

/** Judges a fact of which all turns are the evidence, said early in January. */
function judge(content: string, ...said: readonly string[]) {
  const turns = said.map((line, at) => {
    const [speaker = '', text = ''] = line.split(/: |：/u);
    return { label: String(at + 1), speaker, text, voice: 'person' as const };
  });
  const draft = { content, importance: 5, memoryType: 'event' as const, tags: [], evidence: ['1', '2', '3'] };
  const speakers = ['Ann', 'Bob', '小林', '老周'];
  const { facts, rejected, doubtful } = judgeFacts([draft], {
    turns,
    before: [],
    speakers,
    date: '2024-01-05',
    maxFacts: 12,
  });
  return { isKept: facts.length > 0, reason: rejected[0]?.reason ?? doubtful[0]?.doubt.reason };
}

describe('a fact of which two people spoke', () => {
  it.each<[string, string | RegExp, ...string[]]>([
    ['Ann turned 34.', 'number of another speaker: 34', 'Ann: I turned thirty.', 'Bob: I turn 34 soon!'],
    ['小林首付80万元。', 'number of another speaker: 80万', '小林：首付一百二十万。', '老周：我的才八十万。'],
    ['Ann has a dog and two cats.', 'denied', 'Bob: Do you have a dog?', 'Ann: Nope, two cats.'],
    ['小林有车。', 'denied', '老周：你有车吗？', '小林：没有，平时坐地铁。'],
    ['Ann drove from Cardiff to Leeds.', /other way round/u, 'Ann: We drove from Leeds to Cardiff.', 'Bob: Wow.'],
    ['小林的工资从1.2万元降到8500元。', /other way round/u, '小林：工资从八千五涨到一万二了。', '老周：恭喜。'],
    ['Ann cut it from 10 to 20 mg.', /other way round/u, 'Ann: I cut it from twenty mg to ten.', 'Bob: Good.'],
    ['Ann has had asthma for 11 years.', /11 years/u, 'Ann: I have had asthma since I was 11.', 'Bob: Oh.'],
    ['小林得哮喘11年了。', /11年/u, '小林：我十一岁得的哮喘，今年二十九了。', '老周：这样啊。'],
    ['小林从北京飞到上海。', /other way round/u, '小林：我从上海飞到北京。', '老周：远啊。'],
  ])('is refused: %s', (content, reason, ...said) => {
    const judged = judge(content, ...said);
    expect(judged.isKept).toBe(false);
    expect(judged.reason).toMatch(reason);
  });

  it.each<[string, ...string[]]>([
    ['Ann is 34.', 'Bob: You are 34 now, are you?', 'Ann: I am, since May.'],
    ['Ann turned 30 and Bob turns 34.', 'Ann: I turned thirty.', 'Bob: I turn 34 soon!'],
    ['Ann liked Lisbon better than Porto.', 'Bob: Did you like Porto?', 'Ann: Not really, Lisbon was better.'],
    ['Ann has two cats.', 'Bob: Do you have a dog?', 'Ann: Nope, two cats.'],
    ['Ann has a dog called Rex.', 'Bob: Do you have a dog?', 'Ann: Yes, Rex.'],
    ['Ann has had asthma since 2005 or 2006.', 'Ann: I have had asthma since I was 11, and I am 29.', 'Bob: Oh.'],
    ['Ann has had asthma for 11 years.', 'Ann: I have had asthma for 11 years.', 'Bob: Since I was 11.'],
    ['Ann drove from Leeds to Cardiff.', 'Ann: We drove from Leeds to Cardiff and back.', 'Bob: Wow.'],
    ['小林喜欢喝龙井茶。', '老周：你喜欢喝咖啡还是茶？', '小林：茶，特别是龙井。'],
  ])('is kept: %s', (content, ...said) => {
    expect(judge(content, ...said).isKept).toBe(true);
  });
});

describe('the month of May', () => {
  it('in a fact is not the modal of what was said', () => {
    const { reason } = judge('Ann bought a cottage in May.', 'Ann: We may put in an offer on the cottage in May.');
    expect(reason).toBe('not said plainly: a modal');
  });
});

describe('a date without a year', () => {
  it.each([
    ['Ann moved in December 2024.', 'Ann: We moved in December.', 'still to come: December 2024'],
    ['小林2024年12月20日搬家。', '小林：我们十二月二十号才搬家。', /^still to come/u],
    ['Ann plans to move in December 2024.', 'Ann: We plan to move in December.', undefined],
    ['Ann moved in December 2023.', 'Ann: We moved in December.', undefined],
  ])('is of the year before, unless something is planned: %s', (content, said, reason) => {
    const judged = judge(content, said);
    if (reason === undefined) expect(judged.reason).toBeUndefined();
    else expect(judged.reason).toMatch(reason);
  });
});
