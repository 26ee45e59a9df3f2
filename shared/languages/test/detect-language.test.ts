import { describe, expect, it } from '@jest/globals';
import { detectLanguage, wordsOf } from '../src/index.ts';

describe('the language of a text', () => {
  it.each([
    ['我上周搬到了杭州。', 'zh'],
    ['先週、横浜に引っ越しました。', 'ja'],
    ['東京のカフェで働いています', 'ja'],
    ['我在京都喝了「抹茶ラテ」，味道很好，下次还想再去一次那家店', 'zh'],
    ['I moved to Leith last week.', 'en'],
    ['My friend 小鱼 moved to Leith last week, and she likes it there.', 'en'],
    ['Я переехал в Казань.', 'en'],
  ] as const)('%s', (text, language) => expect(detectLanguage(text)).toBe(language));

  it('is none where there are no letters', () => expect(detectLanguage('12:30 !?')).toBeUndefined());

  it('is told by any sign where the caller asks for it', () => {
    expect(detectLanguage('You are 小鱼, a patient teacher.', { signsFrom: 0 })).toBe('zh');
  });
});

it('every language has a daily log that begins with its date', () => {
  for (const language of ['zh', 'en', 'ja'] as const)
    expect(wordsOf(language).files.dailyLog('2026-05-04')).toMatch(/^# 2026-05-04/u);
});
