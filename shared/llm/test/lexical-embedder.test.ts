import { cosineSimilarity } from '@contextloom/retrieval';
import { anyCharacter } from '@contextloom/testing/any-character';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createLexicalEmbedder } from '../src/index.ts';

const embedder = createLexicalEmbedder();

async function similarity(a: string, b: string): Promise<number> {
  const [first, second] = await embedder.embed([a, b]);
  if (first === undefined || second === undefined) throw new Error('two texts must give two vectors');
  return cosineSimilarity(first, second);
}

describe('createLexicalEmbedder', () => {
  it('names its vector space, with a version', () => {
    expect(embedder.identity).toEqual({ provider: 'lexical', model: 'lexical-v2', dimensions: 384 });
  });

  it.each([
    ['I adopted a cat called Mochi last spring', 'Which cat did I adopt?', 'The train to Hangzhou leaves at noon'],
    ['My sister is studying medicine in Boston', 'What does my sister study?', 'We painted the kitchen green'],
    ['我去年春天收养了一只叫年糕的猫', '你收养的猫叫什么名字', '周五下午三点开项目会议'],
    ['妹妹在波士顿学医', '我妹妹学什么', '厨房刷成了绿色'],
    ['她喜欢用iPhone手机拍照', 'iPhone 拍照', '明天的火车票卖完了'],
  ])('places %j nearer to %j than to %j', async (text, paraphrase, unrelated) => {
    expect(await similarity(text, paraphrase)).toBeGreaterThan((await similarity(text, unrelated)) + 0.1);
  });

  it('places a misspelled word near the right one', async () => {
    expect(await similarity('photography', 'photografy')).toBeGreaterThan(await similarity('photography', 'geography'));
    expect(await similarity('photography', 'photografy')).toBeGreaterThan(await similarity('photography', 'breakfast'));
  });

  it('gives every text a finite vector of length 1, the same each time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: anyCharacter }), fc.integer({ min: 1, max: 64 }), async (text, dimensions) => {
        const [first, second] = await createLexicalEmbedder({ dimensions }).embed([text, text]);
        expect(first).toHaveLength(dimensions);
        expect(Math.hypot(...(first ?? []))).toBeCloseTo(1, 5);
        expect(second).toEqual(first);
      }),
    );
  });

  it('gives texts without a letter or digit one fixed vector', async () => {
    expect(await similarity('', ' …!? 👍')).toBeCloseTo(1, 6);
  });

  it('gives a text the same vector whatever else is in the batch', async () => {
    const texts = Array.from({ length: 100 }, (_, index) => `text number ${index} 第${index}条`);
    const together = await embedder.embed(texts);
    const alone = await Promise.all(texts.map((text) => embedder.embed([text])));
    expect(together).toEqual(alone.flat());
  });

  it('stops between texts when the call is cancelled', async () => {
    const controller = new AbortController();
    const embedding = embedder.embed(Array<string>(1000).fill('some words'), controller.signal);
    controller.abort(new Error('cancelled'));
    await expect(embedding).rejects.toThrow('cancelled');
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses %p dimensions', (dimensions) => {
    expect(() => createLexicalEmbedder({ dimensions })).toThrow('dimensions must be a whole number above 0');
  });
});
