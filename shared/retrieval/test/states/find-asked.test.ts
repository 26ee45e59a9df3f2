import { describe, expect, it } from '@jest/globals';
import { findAsked } from '../../src/states/index.ts';

describe('a question about where somebody lives, what they do, whom they are with', () => {
  it.each([
    ['Who is my girlfriend?', "I've met somebody. Her name is Mara."],
    ["What's my partner called?", 'Owen and I have split up.'],
    ['Where do I live now?', 'Settled in Cardiff at last.'],
    ['What is my job?', 'I started as a paralegal at Hartley and Broom.'],
    ['我家在哪儿？', '我搬到开化了。'],
    ['我现在靠什么谋生？', '我从云脉辞职了，现在在水族馆上班。'],
    ['我女朋友是谁？', '我跟沈禾在一起了。'],
  ])('%s | %s', (question, text) => {
    expect(findAsked(question)?.(text)).toBe(true);
  });

  it.each(['Who is my girlfriend?', '我家在哪儿？'])('is not answered by what is about others: %s', (question) => {
    for (const text of ['My brother lives in Oslo.', '我妹搬到广州了。', 'It rains.'])
      expect(findAsked(question)?.(text)).toBe(false);
  });

  it.each([
    'Where does my brother live?',
    'What does my girlfriend do for a living?',
    'Where do you live?',
    '我妹妹住在哪里？',
    'Who wrote Moby-Dick?',
    '',
  ])('is not: %s', (question) => {
    expect(findAsked(question)).toBeUndefined();
  });
});
