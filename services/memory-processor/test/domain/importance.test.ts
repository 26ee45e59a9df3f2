import { countTokens } from '@contextloom/llm';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toEpisodes } from '../../src/domain/episodes.ts';
import { rateSentence, rateWindow, type WindowRating } from '../../src/domain/importance.ts';
import { anchor } from '../../src/domain/rules/rule.ts';
import { rateValence } from '../../src/domain/rules/valence.ts';
import { anyConversation, readOne } from '../support/conversations.ts';

function rate(text: string): WindowRating {
  const [window] = toEpisodes(readOne(text), countTokens);
  if (window === undefined) throw new Error('no window');
  return rateWindow(window, { speakers: [...new Set(window.turns.map(({ speaker }) => speaker))] });
}

describe('a window', () => {
  it('is as important as its strongest statement, which it names', () => {
    const rating = rate("Anna: Hi! I'm allergic to peanuts.\nBen: Oh no!");
    expect(rating.importance).toBe(anchor.grave);
    expect(rating.strongest).toMatchObject({ speaker: 'Anna', text: "I'm allergic to peanuts.", kind: 'health' });
  });

  it('is lifted a little by further statements, never as far as the next anchor', () => {
    expect(rate('Anna: I love hiking. I have a dog.').importance).toBe(8.3);
    expect(
      rate('Anna: I love hiking. I have a dog. I hate rain. I live in Paris. I play chess. I work as a chef.')
        .importance,
    ).toBe(8.9);
    expect(rate('Anna: My father died. I lost my job.').importance).toBe(10);
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
    expect(rate('assistant: Hm. Are you allergic to anything?\nuser: Yes!').importance).toBe(8);
    expect(rate('助手：你有孩子吗？\n我：有的。').importance).toBe(7);
    expect(rate('assistant: Are you allergic to anything?\nuser: No.').importance).toBe(2);
    expect(rate('assistant: Are you allergic to anything?\nuser: Yesterday was nice.').importance).toBe(2);
    expect(rate('assistant: What are you allergic to?\nuser: Yes!').importance).toBe(2);
  });

  it('does not take a photo’s caption for something said', () => {
    expect(
      rate('{"session_1":[{"speaker":"A","text":"Look!","blip_caption":"a photo of 12 dogs in 1999"}]}').importance,
    ).toBe(2);
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
      { numRuns: 25 },
    );
  });
});

describe('a sentence that repeats itself', () => {
  it.each(['哈', '对', '好的', '一', 'ha', 'ok ', 'very nice ', 'not ', 'and I ', '3', '没有', 'mom ', 'x_'])(
    'is rated in one pass: %p',
    (piece) => {
      for (const start of ['', 'I ', '我']) {
        expect(rateSentence(`${start}${piece.repeat(400)}!`).importance).toBeLessThanOrEqual(anchor.life);
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
