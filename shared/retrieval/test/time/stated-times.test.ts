import { describe, expect, it } from '@jest/globals';
import { findTimes } from '../../src/time/index.ts';

const reference = new Date('2026-05-04T12:00:00Z'); // a Monday
const toDays = (text: string): readonly string[] =>
  findTimes(text, { reference }).map(({ from, to, text: words }) => {
    const [first, last] = [from ?? 0, (to ?? 0) - 1].map((at) => new Date(at).toISOString().slice(0, 10));
    return `${words} ${first} ${last}`;
  });

it.each(['她来月经了，肚子疼', '我们从上海来周庄玩', '下次再来周庄玩'])('reads no Japanese in Chinese: %s', (text) =>
  expect(toDays(text)).toEqual([]),
);

describe('times that Japanese tells', () => {
  it.each([
    ['先週の金曜日に映画を見た', '先週の金曜日 2026-05-01 2026-05-01'],
    ['来週月曜に会いましょう', '来週月曜 2026-05-11 2026-05-11'],
    ['来月東京へ引っ越します', '来月 2026-06-01 2026-06-30'],
    ['一昨日から熱がある', '一昨日 2026-05-02 2026-05-02'],
    ['昨日京都に行きました', '昨日 2026-05-03 2026-05-03'],
    ['先々週は忙しかった', '先々週 2026-04-20 2026-04-26'],
    ['昨年結婚した', '昨年 2025-01-01 2025-12-31'],
    ['三年前に仕事を変えた', '三年前 2023-01-01 2023-12-31'],
    ['2024年5月3日に生まれた', '2024年5月3日 2024-05-03 2024-05-03'],
  ])('%s', (text, told) => expect(toDays(text)).toEqual([told]));
});
