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
  ...{ before: [], speakers: ['Ann', 'Bob', '小林'], date: '2024-03-05', maxFacts: 12 },
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
    ["Ann: I'm lactose intolerant and Kim doesn't eat fish.", 'Kim is lactose intolerant.', 'said of Ann'],
    ["Ann: Kim's parents own a barn.", "Ann's parents own a barn.", "said of Kim's parents"],
    ["Ann: My contract ends in May and they won't renew it.", "They renewed Ann's contract.", 'denied'],
    ["Ann: I'm not vegan, but I gave up milk.", 'Ann is vegan.', 'denied'],
    ['小林：我姐想领养个孩子。', '小林想领养孩子。', 'said of 我姐'],
    ['小林：烟我已经戒了。', '小林抽烟。', 'so no more'],
    ['小林：我妹妹会弹钢琴。', '小林会弹钢琴。', 'said of 我妹妹'],
    ['小林：我从来不喝咖啡。', '小林喝咖啡。', 'denied'],
    ['小林：如果有钱我就买房。', '小林买房了。', 'said under a condition'],
  ])('%s → %s: %s', (line, content, reason) => {
    const draft = { content, importance: 5, memoryType: 'knowledge' as const, tags: [], evidence: ['1'] };
    const { facts, rejected, doubtful } = judgeFacts([draft], said(line));
    expect([facts, rejected.map((one) => one.reason), doubtful.length]).toEqual([[], [reason], 1]);
  });
});
