import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { measureRelevance, toQuestionTokens, toRelevanceScale, wordsAlone } from '../../src/ranking/index.ts';
import { areForms } from '../../src/text/index.ts';

/** What is told a model has more. */
const FITS = 0.2;
const real = toRelevanceScale({ provider: 'openai', model: 'some-model' });

function relevanceOf(question: string, text: string, others: readonly string[] = []): number {
  const passages = [text, ...others].map((one, at) => ({ id: String(at), text: one }));
  return measureRelevance(toQuestionTokens(question), passages).get('0') ?? Number.NaN;
}

describe('measureRelevance', () => {
  it('is the share of the question that a text tells', () => {
    expect(relevanceOf('Who married Tom at the mill?', 'My sister Bea married Tom at the old mill.')).toBe(1);
    expect(relevanceOf('Who married Tom at the mill?', 'Tom called on Sunday.')).toBeCloseTo(1 / 3, 1);
    expect(relevanceOf('我对什么过敏？', '我对花生过敏，吃了会起红疹。')).toBe(1);
    expect(relevanceOf('What is quantum chromodynamics?', 'The passport runs out in November.')).toBe(0);
  });

  it('finds other forms of a word', () => {
    expect(relevanceOf('What did I buy?', 'I bought a MacBook Air.')).toBeGreaterThan(0.5);
  });

  it('is not carried by single characters of longer words', () => {
    expect(relevanceOf('谁的专业是敏捷开发？', '周敏在医院当护士。')).toBe(0);
    expect(relevanceOf('鱼', '周敏偶尔吃鱼。')).toBe(1);
    expect(relevanceOf('黑猫', '小红养了一只黑猫')).toBe(1);
  });

  it('is carried by words of the same concept, less than by the own ones', () => {
    const [own, other] = ['I have a pet at home.', 'Our dog sleeps in the hall.'];
    expect(relevanceOf('Do we have a pet?', other)).toBeGreaterThanOrEqual(FITS);
    expect(relevanceOf('Do we have a pet?', other)).toBeLessThan(relevanceOf('Do we have a pet?', own));
    expect(relevanceOf('我的薪水增加了吗？', '四月份涨了工资。')).toBeGreaterThanOrEqual(FITS);
    expect(relevanceOf('家里有宠物吗？', 'Our dog sleeps in the hall.')).toBeGreaterThanOrEqual(FITS);
  });

  it('takes a single related character for a word where it is one', () => {
    expect(relevanceOf('天气怎么样？', '女朋友小雨也去冰岛。')).toBe(0);
    expect(relevanceOf('天气怎么样？', '外面雨很大。')).toBeGreaterThanOrEqual(FITS);
    expect(relevanceOf('家里有宠物吗？', '我家養了一隻貓。')).toBeGreaterThanOrEqual(FITS);
  });

  it('needs the whole of a related word', () => {
    expect(relevanceOf('番茄熟了吗？', '西红柿熟了。')).toBeGreaterThan(relevanceOf('番茄熟了吗？', '西红门到了。'));
  });

  it('counts the words of a Chinese question, not where they meet', () => {
    expect(relevanceOf('护照照片尺寸', '尺寸是两寸。')).toBeCloseTo(1 / 3, 1);
  });

  it('counts a word less that texts about anything have', () => {
    const name = relevanceOf('What is the name of our mascot?', 'The dog has a name.');
    expect(name).toBeLessThan(relevanceOf('What is the name of our mascot?', 'We drew a mascot.'));
  });

  it('is carried by a word that texts about anything have where there are no others', () => {
    expect(relevanceOf('Do I like jazz?', 'I like the new kitchen.')).toBe(0);
    expect(relevanceOf('Do I like jazz?', 'I like the new kitchen.', ['A jazz band played.'])).toBeGreaterThan(0);
    expect(relevanceOf('What do I like?', 'I like the new kitchen.')).toBe(1);
    expect(relevanceOf('Where do I work now?', 'We work from home.')).toBeGreaterThanOrEqual(FITS);
  });

  it('finds the British spelling by the American one', () => {
    expect(relevanceOf("What's my favorite color?", 'Favourite colour: green')).toBeGreaterThan(0.7);
  });

  it('is not carried by distant words of a thesaurus, which add to what other words tell', () => {
    const tokens = {
      terms: ['laptop', 'price'],
      unigrams: [],
      expansions: [{ term: 'comput', of: 'laptop', weight: 0.2 }],
    };
    const passages = [
      { id: 'related', text: 'a computer' },
      { id: 'own', text: 'the price' },
      { id: 'both', text: 'the price of a computer' },
    ];
    const relevance = measureRelevance(tokens, passages);
    expect(relevance.get('related')).toBe(0);
    expect(relevance.get('both')).toBeGreaterThan(relevance.get('own') ?? 1);
  });

  it('counts a word less that many of the texts have', () => {
    const others = Array.from({ length: 60 }, (_, at) => `Ann has thing${at}.`);
    const rare = relevanceOf('Does Ann drink tea?', 'There is tea.', others);
    expect(rare).toBeGreaterThan(relevanceOf('Does Ann drink tea?', 'Ann is here.', others));
  });

  it('means about the same in a store of one memory and of hundreds', () => {
    const others = Array.from({ length: 300 }, (_, at) => `Something else about thing${at}.`);
    const [question, text] = ['Where was my bicycle stolen?', 'A bicycle stands in the hall.'];
    expect(Math.abs(relevanceOf(question, text) - relevanceOf(question, text, others))).toBeLessThan(0.1);
  });

  it('takes a few words of a long text for enough', () => {
    const long = Array.from({ length: 200 }, (_, at) => `word${at}`).join(' ');
    expect(relevanceOf(long, 'word1 word2 word3 word4 word5')).toBeGreaterThan(FITS);
  });

  it('is in [0, 1] whatever is asked of whatever text, with vectors and without', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.record({ text: fc.string(), cosine: fc.double({ min: -1, max: 1, noNaN: true }) })),
        (question, texts) => {
          const passages = texts.map((one, at) => ({ id: String(at), ...one }));
          for (const scale of [wordsAlone, real]) {
            for (const value of measureRelevance(toQuestionTokens(question), passages, scale).values()) {
              expect(value).toBeGreaterThanOrEqual(0);
              expect(value).toBeLessThanOrEqual(1);
            }
          }
        },
      ),
    );
  });
});

describe('areForms', () => {
  it.each([
    ['walk', 'walking'],
    ['run', 'running'],
    ['city', 'cities'],
    ['like', 'liking'],
    ['box', 'boxes'],
  ])('takes %s and %s for one word', (a, b) => {
    expect(areForms(a, b)).toBe(true);
    expect(areForms(b, a)).toBe(true);
  });

  it.each([
    ['commune', 'community'],
    ['commitment', 'commit'],
    ['organ', 'organization'],
  ])('takes %s and %s for two', (a, b) => {
    expect(areForms(a, b)).toBe(false);
  });
});
