import { countTokens } from '@contextloom/llm';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyConversation, readOne } from '../../../../shared/transcripts/test/support/conversations.ts';
import { rateValence, rateWindow, type WindowRating } from '../../src/domain/rating/importance.ts';
import { anchor } from '../../src/domain/rating/scale.ts';
import { rateSentence } from '../../src/domain/rating/statements.ts';
import { toEpisodes } from '../../src/domain/windows/episodes.ts';

function rate(text: string): WindowRating {
  const [window] = toEpisodes(readOne(text), countTokens);
  if (window === undefined) throw new Error('no window');
  return rateWindow(window, { speakers: [...new Set(window.turns.map(({ speaker }) => speaker))] });
}

describe('a window', () => {
  it('is as important as its strongest statement, which it names', () => {
    const rating = rate("Anna: Hi! I'm allergic to peanuts.\nBen: Oh no!");
    expect(Math.floor(rating.importance)).toBe(anchor.grave);
    expect(rating.strongest).toMatchObject({ speaker: 'Anna', text: "I'm allergic to peanuts.", kind: 'health' });
  });

  it('is lifted a little by further statements, never as far as the next anchor', () => {
    const [one, two, six] = [
      'I love hiking.',
      'I love hiking. I have a dog.',
      'I love hiking. I have a dog. I hate rain. I live in Paris. I play chess. I work as a chef.',
    ].map((words) => rate(`Anna: ${words}`).importance);
    expect(two).toBeGreaterThan(one ?? 0);
    expect(six).toBeGreaterThan(two ?? 0);
    expect(six).toBeLessThan(anchor.grave);
    expect(rate('Anna: My father died. I lost my job.').importance).toBe(10);
  });

  it.each([
    [
      'grave, lasting, passing, small talk',
      ["I'm allergic to nuts.", 'I love hiking.', 'I went to the gym.', 'I think so.', 'Thanks, see you!'],
    ],
    ['重大、长久、日常、寒暄', ['我对芒果过敏。', '我喜欢爬山。', '我叫了外卖。', '我在想这个问题。', '好的，谢谢！']],
  ])('is ranked by what it tells: %s', (_, sentences) => {
    const ratings = sentences.map((sentence) => rate(`Anna: ${sentence}`).importance);
    expect(ratings).toEqual([...new Set(ratings)].sort((a, b) => b - a));
  });

  it('weighs more with names, numbers and times, never as much as what lasts', () => {
    const bare = rate('Anna: I went to a fair.').importance;
    const detailed = rate(
      'Anna: Last Saturday I went to the book fair in Lyon with Marc, and on Sunday we met 3 authors from Brussels, since July the third time.',
    ).importance;
    expect(detailed).toBeGreaterThan(bare + 1);
    expect(detailed).toBeLessThan(anchor.lasting);
  });

  it('counts the kinds of statement in it', () => {
    const { kinds } = rate('Anna: I love hiking. I went to Rome yesterday.\n小明: 我喜欢爬山。你好！');
    expect([...kinds]).toEqual([
      ['preference', 2],
      ['event', 1],
    ]);
  });

  it('of greetings alone is rated 1, and an assistant’s question 2', () => {
    expect(rate('user: Hi there!\nassistant: Hello! How can I help?\nuser: 谢谢，再见！').importance).toBe(2);
    expect(rate('user: Hi there!\nassistant: Hello!').importance).toBe(1);
  });

  it('weighs an assistant’s own words less', () => {
    const words = 'I love hiking and I have two kids.';
    expect(rate(`user: ${words}`).importance).toBeGreaterThanOrEqual(8);
    expect(rate(`assistant: ${words}`).importance).toBe(anchor.passing);
    expect(rate(`[{"role":"assistant","speaker":"Mia","content":"${words}"}]`).importance).toBe(anchor.passing);
  });

  it('takes a bare yes for what it was asked', () => {
    expect(Math.floor(rate('assistant: Hm. Are you allergic to anything?\nuser: Yes!').importance)).toBe(8);
    expect(Math.floor(rate('助手：你有孩子吗？\n我：有的。').importance)).toBe(7);
    for (const [question, answer] of [
      ['Are you allergic to anything?', 'No.'],
      ['Are you allergic to anything?', 'Yesterday was nice.'],
      ['What are you allergic to?', 'Yes!'],
    ]) {
      expect(rate(`assistant: ${question}\nuser: ${answer}`).importance).toBeLessThan(anchor.passing);
    }
  });

  it('does not take a photo’s caption for something said', () => {
    const rateWith = (photo: object) =>
      rate(JSON.stringify({ session_1: [{ speaker: 'A', text: 'Look!', ...photo }] }));
    expect(rateWith({ blip_caption: 'a photo of 12 dogs in 1999' })).toEqual(rateWith({}));
  });

  it('is rated from 1 to 10 with one decimal, whatever is said', () => {
    fc.assert(
      fc.property(anyConversation, (conversation) => {
        for (const window of toEpisodes(conversation, countTokens)) {
          const { importance, valence } = rateWindow(window, { speakers: ['Anna'] });
          expect(importance).toBeGreaterThanOrEqual(1);
          expect(importance).toBeLessThanOrEqual(10);
          expect(Number(importance.toFixed(1))).toBe(importance);
          if (valence !== undefined) expect(Math.abs(valence)).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 8 },
    );
  });
});

describe('a sentence that repeats itself', () => {
  it.each(['哈', '对', '好的', '一', 'ha', 'ok ', 'very nice ', 'not ', 'and I ', '3', '没有', 'mom ', 'x_'])(
    'is rated in one pass: %p',
    (piece) => {
      for (const [start, end] of [
        ['', '!'],
        ['I ', '!'],
        ['我', '!'],
        ['', ' x我'],
        ['', '我x'],
      ]) {
        expect(rateSentence(`${start}${piece.repeat(400)}${end}`).importance).toBeLessThanOrEqual(anchor.life);
      }
    },
  );
});

describe('the feeling of a sentence', () => {
  it.each([
    ["I'm so happy and proud!", 0.6],
    ['I am not happy.', -0.3],
    ['I was devastated when she died.', -0.9],
    ['我很开心', 0.6],
    ['我不喜欢这样', -0.15],
    ['我压力很大，快崩溃了', -0.75],
  ])('%s is %p', (sentence, valence) => {
    expect(rateValence(sentence)).toBeCloseTo(valence, 5);
  });

  it('is undefined when none is told', () => {
    expect(rateValence('The train leaves at nine.')).toBeUndefined();
    expect(rate('Anna: The train leaves at nine.').valence).toBeUndefined();
  });

  it('of an assistant is not the user’s', () => {
    expect(rate('assistant: I am so happy!').valence).toBeUndefined();
  });
});
