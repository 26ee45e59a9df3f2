import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { judgeFacts } from '../../../src/domain/grounding/check-facts.ts';

const parseUrl = new URL('../../../bench/judge-cases.mjs', import.meta.url).href;

/** What rules alone do wrong with the labelled cases of a language: true facts refused, wrong ones accepted. */
async function countErrors(language: 'en' | 'zh') {
  const { parseCases } = (await import(parseUrl)) as { parseCases: (text: string) => readonly LabelledCase[] };
  const text = await readFile(new URL(`../../../bench/judge-cases-${language}.txt`, import.meta.url), 'utf8');
  const counts = { true: 0, refused: 0, wrong: 0, accepted: 0 };
  for (const { ground, fact, isTrue } of parseCases(text)) {
    const draft = { ...fact, importance: 5, memoryType: 'knowledge' as const, tags: [] };
    const isKept = judgeFacts([draft], { ...ground, maxFacts: 12 }).facts.length > 0;
    counts[isTrue ? 'true' : 'wrong'] += 1;
    if (isTrue && !isKept) counts.refused += 1;
    if (!isTrue && isKept) counts.accepted += 1;
  }
  return counts;
}

interface LabelledCase {
  readonly ground: Omit<Parameters<typeof judgeFacts>[1], 'maxFacts'>;
  readonly fact: { readonly content: string; readonly evidence: readonly string[] };
  readonly isTrue: boolean;
}

describe('rules alone', () => {
  it.each(['en', 'zh'] as const)(
    'keep nine in ten true facts and refuse three in four wrong ones (%s)',
    async (language) => {
      const counts = await countErrors(language);
      expect(counts.true).toBeGreaterThan(50);
      expect(counts.refused / counts.true).toBeLessThan(0.1);
      expect(counts.accepted / counts.wrong).toBeLessThan(0.25);
    },
  );
});

const said = (...lines: readonly string[]) => ({
  turns: lines.map((line, at) => {
    const [speaker = '', text = ''] = line.split(/: |：/u);
    return { label: String(at + 1), speaker, text, voice: 'person' as const };
  }),
  before: [],
  speakers: ['Ann', 'Bob', '小林'],
  date: '2024-03-05',
  maxFacts: 12,
});

describe('a doubt', () => {
  it.each([
    ['Ann: I never drink coffee.', 'Ann drinks coffee.', 'denied'],
    ['Ann: If I win, I will buy a boat.', 'Ann buys a boat.', 'said under a condition'],
    ['Ann: I sold my car. Just kidding!', 'Ann sold her car.', 'said in jest'],
    ['Ann: My sister plays the violin.', 'Ann plays the violin.', 'said of My sister'],
    ['Ann: I adore opera.', 'Ann hates opera.', 'the contrary was said'],
    ['Bob: I climb mountains.', 'Ann climbs mountains.', 'said by Bob'],
    ['Ann: I quit smoking.', 'Ann smokes.', 'so no more'],
    ["Ann: I've been off cigarettes since May.", 'Ann smokes.', 'so no more'],
    ['Ann: I sold my car in May.', 'Ann bought a car in May.', 'the contrary was said'],
    ['Ann: I work full-time at a school.', 'Ann works part-time at a school.', 'the contrary was said'],
    ['Ann: My sister runs a garage in Ghent.', "Ann's brother runs a garage in Ghent.", 'the contrary was said'],
    ['Ann: My dad lost his wallet.', "Ann's mother lost her wallet.", 'the contrary was said'],
    ['小林: 我在小学全职上班。', '小林在小学兼职上班。', 'the contrary was said'],
    ['小林: 我女儿赢了比赛。', '小林的儿子赢了比赛。', 'the contrary was said'],
    ["Ann: Since Paul's hip replacement he can't sit.", 'Ann had a hip replacement.', "said of Paul's hip replacement"],
    ['Ann: The kids are back. Josh broke his arm skiing.', 'Ann broke her arm skiing.', 'said of Josh'],
    ['Bob: My wife is expecting twins. Can you believe it?', 'Ann is expecting twins.', 'said by Bob'],
    ["Ann: They told me to stop drinking beer. I didn't listen.", 'Ann stopped drinking beer.', 'denied'],
    ['Ann: I signed up for a half marathon in Cologne.', 'Ann ran a half marathon in Cologne.', 'planned, not done'],
    ['小林：我從來不喝咖啡。', '小林喝咖啡。', 'denied'],
    ['小林：我要是中了奖，我买条船。', '小林买了一条船。', 'said under a condition'],
    ["Ann: I'm lactose intolerant and Kim doesn't eat fish.", 'Kim is lactose intolerant.', 'said of Ann'],
    ["Ann: Kim's parents own a barn.", "Ann's parents own a barn.", "said of Kim's parents"],
    ["Ann: My contract ends in May and they won't renew it.", "They renewed Ann's contract.", 'denied'],
    ["Ann: I'm not vegan, but I gave up milk.", 'Ann is vegan.', 'denied'],
    ['小林：我姐想领养个孩子。', '小林想领养孩子。', 'said of 我姐'],
    ['小林：烟我已经戒了。', '小林抽烟。', 'so no more'],
    ['小林：我妹妹会弹钢琴。', '小林会弹钢琴。', 'said of 我妹妹'],
    ['小林：我从来不喝咖啡。', '小林喝咖啡。', 'denied'],
    ['小林：如果有钱我就买房。', '小林买房了。', 'said under a condition'],
    ["Ann: Very funny. Yeah, I'm ninety.", 'Ann is ninety.', 'said in jest'],
    ["Ann: I've been meaning to get a parrot.", 'Ann got a parrot.', 'left open'],
    ['Ann: One day I will learn Basque.', 'Ann is learning Basque.', 'planned, not done'],
    ['Ann: Kim brings his parrot to the office.', 'Ann brings her parrot to the office.', 'said of Kim'],
    ['Ann: My father thinks we should sell the barn.', 'Ann thinks they should sell the barn.', 'said of My father'],
    ["Ann: Mine moved out. She's gone back to Cork.", 'Ann moved back to Cork.', 'said of somebody else'],
    ["Ann: I haven't accepted the job yet.", 'Ann accepted the job.', 'denied'],
    ['小林：我还没答应带分公司。', '小林答应带分公司。', 'denied'],
    ['小林：我舅买了一条船。', '小林买了一条船。', 'said of 我舅'],
    ['小林：再练一年我能参加比赛。', '小林参加过比赛。', 'planned, not done'],
    ['小林：蛋我还吃，肉不吃了。', '小林不吃蛋。', 'denied, though nobody did'],
  ])('%s → %s: %s', (line, content, reason) => {
    const draft = { content, importance: 5, memoryType: 'knowledge' as const, tags: [], evidence: ['1'] };
    const { facts, rejected, doubtful } = judgeFacts([draft], said(line));
    expect([facts, rejected.map((one) => one.reason), doubtful.length]).toEqual([[], [reason], 1]);
  });
});

describe('a fact is kept that', () => {
  it.each([
    ["Ann: You won't believe it - I met a mentor!", 'Ann met a mentor.'],
    [
      "Ann: I'll never forget the day my son took his first steps.",
      'Ann treasures the day her son took his first steps.',
    ],
    ['Ann: My cousin plays drums in a band called Rust. I manage them.', 'Ann manages the band Rust.'],
    ['Ann: I hardly ever cook.', 'Ann rarely cooks.'],
    ['Ann: I work full-time, my sister part-time.', "Ann's sister works part-time."],
    ['小林：我姐姐和弟弟都在佛山上班。', '小林的弟弟在佛山上班。'],
    ["Ann: I'm on call at the ER until Friday.", 'Ann works in the emergency room.'],
    ['Ann: My father was born in 1948 and came here when he was nineteen.', "Ann's father came here in 1967."],
    ["Ann: He's had the farm since 1987.", 'He has had the farm for 37 years.'],
    ["Ann: He wasn't religious, he was an atheist like me.", 'Ann is an atheist.'],
    ['Ann: I ran a marathon and will never run another one.', 'Ann ran a marathon.'],
    ['Ann: A friend of mine got stuck in Cork.', 'A friend of Ann got stuck in Cork.'],
    ["Ann: Eleven. She's called Mia, my little one.", "Ann's daughter Mia is eleven years old."],
    ['小林：我98年的，烟我已经戒了。', '小林1998年出生。'],
    ['小林：我家老大考上了武大。', '小林的孩子考上了武汉大学。'],
    ['小林：打了石膏，幸好沒住院。', '小林没有住院。'],
    ['小林：我每周二、四晚上游泳。', '小林每周二和周四晚上游泳。'],
  ])('%s → %s', (line, content) => {
    const draft = { content, importance: 5, memoryType: 'knowledge' as const, tags: [], evidence: ['1'] };
    expect(judgeFacts([draft], said(line))).toMatchObject({ facts: [{ content }], rejected: [] });
  });
});

describe('kin who are spoken of around what says the fact', () => {
  it.each([
    [
      'Bob: How are your daughters?',
      'Ann: My son has a cold, and Mia started school.',
      "Ann's daughter Mia started school.",
    ],
    ['小林：女儿叫小米。', '小林：儿子感冒了，小米周一上学了。', '小林的女儿小米上学了。'],
  ])('%s %s → %s', (before, line, content) => {
    const draft = { content, importance: 5, memoryType: 'knowledge' as const, tags: [], evidence: ['2'] };
    expect(judgeFacts([draft], said(before, line))).toMatchObject({ facts: [{ content }], rejected: [] });
  });
});

describe('an answer that turns down what was asked', () => {
  it.each([
    ['Bob: Did you have the operation?', 'Ann: They wanted to. I said no.', 'Ann had the operation.'],
    ['Bob：你做手术了吗？', '小林：医生建议，我没同意。', '小林做了手术。'],
  ])('%s %s', (question, answer, content) => {
    const draft = { content, importance: 5, memoryType: 'knowledge' as const, tags: [], evidence: ['2'] };
    expect(judgeFacts([draft], said(question, answer)).rejected).toMatchObject([{ reason: 'denied' }]);
  });
});

describe('a number is not in the evidence', () => {
  it.each([
    ["Ann: I've been off sugar since May. Three weeks today!", 'Ann has been off sugar for three months.'],
    ["Ann: Nine or ten hours. My son is in the team, he's seven.", "Ann's son is nine years old."],
    ['小林：我十二月十一号答辩。', '小林11月答辩。'],
  ])('that counts something else: %s → %s', (line, content) => {
    const draft = { content, importance: 5, memoryType: 'knowledge' as const, tags: [], evidence: ['1'] };
    const [rejected] = judgeFacts([draft], said(line)).rejected;
    expect(rejected?.reason).toMatch(/^(?:number|month) not in the evidence/u);
  });
});
