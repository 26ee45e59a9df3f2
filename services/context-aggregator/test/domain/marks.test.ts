import { describe, expect, it } from '@jest/globals';
import { chooseMemories, type MemoryLimits } from '../../src/domain/memories/choose-memories.ts';
import { toMarkText, toPromptMarks } from '../../src/domain/memories/marks.ts';
import type { FoundMemory } from '../../src/domain/memories/memories.ts';

const episode = (day: string, turns: readonly string[], score = 0.5): FoundMemory => ({
  id: day,
  content: [`[${day}]`, ...turns].join('\n'),
  tags: ['memory', 'episode'],
  score,
  metadata: { memory_type: 'episode', occurred_at: `${day}T20:00:00.000Z` },
});
const note = (day: string, content: string): FoundMemory => ({
  id: day,
  content,
  tags: ['memory', 'note'],
  score: 0.5,
  metadata: { created_at: `${day}T20:00:00.000Z` },
});
const asking = (query: string) => ({ query, names: ['Marlow'] });
const textsOf = (hits: readonly FoundMemory[], limits: MemoryLimits = {}) =>
  chooseMemories(hits, limits).map(({ text }) => text);
const countWords = (text: string): number => text.split(/\s+/u).filter((word) => word !== '').length;

const leeds = episode(
  '2024-03-05',
  ['Ann: I live in Leeds with my cat.', 'Marlow: I live in Leith.', 'Ann: It rains.'],
  0.9,
);
const cardiff = episode('2025-05-06', ["Ann: We've moved to Cardiff at last.", 'Marlow: Good.'], 0.2);

describe('what was said to be over', () => {
  it('says so behind the turn, and what is so now; nothing else changes', () => {
    expect(textsOf([leeds, cardiff])).toEqual([
      '[2024-03-05]\nAnn: I live in Leeds with my cat. (until 2025-05; now: Cardiff)\nMarlow: I live in Leith.\nAnn: It rains.',
      cardiff.content,
    ]);
  });

  it('says so in Chinese, and of notes', () => {
    const hits = [note('2024-03-05', '我住在成都。'), note('2025-05-06', '我搬到杭州了。')];
    expect(textsOf(hits)).toEqual([
      '[2024-03-05] 我住在成都。 （到 2025-05 为止；现在：杭州）',
      '[2025-05-06] 我搬到杭州了。',
    ]);
  });

  it('leaves what somebody else said, and what an assistant did', () => {
    const hits = [leeds, episode('2025-05-06', ["Ben: I've moved to Cardiff.", "Marlow: I've moved to Rome."])];
    expect(textsOf(hits, { asking: asking('Where?') })).toEqual(hits.map(({ content }) => content));
  });

  it('is marked at the passage of a long turn that says it', () => {
    const filler = 'Some words about ferries and nothing else at all. '.repeat(60).trim();
    const long = episode('2024-03-05', [`Ann: I live in Leeds.\n  \n  ${filler}`]);
    expect(textsOf([long, cardiff])[0]).toContain('Ann: I live in Leeds. (until 2025-05; now: Cardiff)\n');
  });

  it('is told to whoever explains the prompt', () => {
    const [told] = chooseMemories([leeds, cardiff], {});
    expect(told === undefined ? [] : toPromptMarks(told, told.text)).toMatchObject([
      { until: '2025-05', now: 'Cardiff', by: { memory: '2025-05-06', turn: 0 } },
    ]);
  });

  it('comes after what is so now, where there is room for one', () => {
    expect(textsOf([leeds, cardiff], { topK: 1 })).toEqual([cardiff.content]);
    const within = { maxTokens: 12, countTokens: countWords, asking: asking('Where do I live?') };
    expect(textsOf([leeds, cardiff], within).join('\n')).toContain('moved to Cardiff');
  });

  it('is told with what is so now where the question is about the past', () => {
    const rain = episode(
      '2025-01-01',
      ['Ann: Where did I live, I asked, and did I live, did I live there before?'],
      0.8,
    );
    const within = { maxTokens: 30, countTokens: countWords, asking: asking('Where did I live before?') };
    const text = textsOf([rain, leeds, cardiff], within).join('\n');
    expect([text.includes('Leeds'), text.includes('Cardiff')]).toEqual([true, true]);
  });

  it('is found by what is asked, whichever words say it', () => {
    const words = ['Ann: Who is the girl, who is my friend, who is it?', 'Ann: The girl with the dog is a friend.'];
    const met = episode('2025-05-06', ["Ann: I've met somebody. Her name is Mara.", 'Ann: We had tea.'], 0.1);
    const within = { maxTokens: 14, countTokens: countWords, asking: asking('Who is my girlfriend?') };
    expect(textsOf([episode('2024-01-01', words, 0.9), met], within).join('\n')).toContain('Mara');
    const ofSister = { ...within, asking: asking("Who is my sister's girlfriend?") };
    expect(textsOf([episode('2024-01-01', words, 0.9), met], ofSister).join('\n')).not.toContain('Mara');
  });

  it('is told by a fact that took the place of another, without a word of what changed', () => {
    const marks = new Map([
      [
        '2024-03-05',
        new Map([[2, { until: '2025-06', now: 'Ann lives where it is dry.', by: { memory: 'fact', turn: 0 } }]]),
      ],
    ]);
    expect(textsOf([leeds], { superseded: marks })).toEqual([
      `${leeds.content} (until 2025-06; now: Ann lives where it is dry.)`,
    ]);
  });
});

describe('a mark', () => {
  const by = { memory: 'later', turn: 0 };
  it.each([
    ['I live in Leith.', '(until 2024-05; now: Berlin)', '(corrected 2024-05)'],
    ['我住在利斯。', '（到 2024-05 为止；现在：Berlin）', '（2024-05 已更正）'],
    ['リースに住んでいます。', '（2024-05 まで。今は：Berlin）', '（2024-05 に訂正）'],
    ['東京に住んでいます。', '（2024-05 まで。今は：Berlin）', '（2024-05 に訂正）'],
  ])('is told in the language of %s', (said, ended, corrected) => {
    expect(toMarkText({ until: '2024-05', now: 'Berlin', by }, said)).toBe(ended);
    expect(toMarkText({ until: '2024-05', isCorrection: true, by }, said)).toBe(corrected);
  });
});
