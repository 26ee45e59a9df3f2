import { anyCharacter } from '@contextloom/testing/any-character';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { scoreTurns, TURNS, type Turn } from '../../src/ranking/index.ts';

const at = (id: string, score: number, position: number, text = 'Ann: I see.', sequence = 's'): Turn => ({
  id,
  score,
  text,
  place: { sequence, position },
});
const toTotals = (turns: readonly Turn[]) =>
  Object.fromEntries(
    [...scoreTurns(turns)].map(([id, { own, fromNeighbours, form }]) => [id, (own + fromNeighbours) * form]),
  );

describe('the turns of a conversation', () => {
  it('get shares of the scores around them, and nothing from elsewhere', () => {
    const totals = toTotals([
      at('said', 10, 4),
      at('next', 0, 5),
      at('second', 0, 6),
      at('before', 0, 3),
      at('far', 0, 9),
      at('elsewhere', 0, 5, 'Ann: I see.', 'other'),
      { id: 'alone', text: 'I see.', score: 7 },
    ]);
    const { beside, twoOff } = TURNS;
    expect(totals).toEqual({
      said: 10,
      next: 10 * beside,
      second: 10 * twoOff,
      before: 10 * beside,
      far: 0,
      elsewhere: 0,
      alone: 7,
    });
  });

  it.each(['Ben: Where did you go?', '小明：你养的猫叫什么名字？', 'Is it far?" [photo: a hill]'])(
    'answer what is asked, and asking answers nothing: %s',
    (question) => {
      const totals = toTotals([at('asked', 10, 1, question), at('told', 0, 2)]);
      expect(totals).toEqual({ asked: 10 * TURNS.question, told: 10 * TURNS.fromQuestion });
    },
  );

  it('count for less where an assistant said them, and as much where its user asks', () => {
    const totals = toTotals([
      at('user', 10, 1, 'User: Which port does the database use?'),
      at('assistant', 10, 9, 'Assistant: The database uses a port.'),
      { ...at('spoken', 10, 20, 'The port is free.'), speaker: 'assistant' },
      { id: 'note', text: 'Model: T3', score: 10 },
    ]);
    expect(totals).toEqual({ user: 10, assistant: 10 * TURNS.other, spoken: 10 * TURNS.other, note: 10 });
  });

  it('count for less where the user said them and the question asks for what the assistant said', () => {
    const turns = [
      at('user', 10, 1, 'User: Where do I begin?'),
      at('assistant', 10, 9, 'Assistant: Begin with the schema.'),
      at('friend', 10, 1, 'Ann: I begin tomorrow.', 'elsewhere'),
    ];
    const scores = scoreTurns(turns, { isOfAnswers: true });
    expect([...scores].map(([id, { form }]) => [id, form])).toEqual([
      ['user', TURNS.other],
      ['assistant', 1],
      ['friend', 1],
    ]);
  });

  it('are short: long texts in a sequence neither give nor get', () => {
    const long = `Ann: ${'really? '.repeat(TURNS.longest)}`;
    expect(toTotals([at('long', 10, 1, long), at('next', 4, 2), at('last', 2, 3, long)])).toEqual({
      long: 10,
      next: 4,
      last: 2,
    });
  });

  it('count once, though they are given twice', () => {
    const turns = [at('question', 10, 4), at('answer', 1, 5)];
    expect(toTotals([...turns, ...turns])).toEqual(toTotals(turns));
  });

  it('keep their own scores, and a form in [0, 1], whatever is said', () => {
    const said = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.stringMatching(/^(Ann|user|AI): ([a-z]+[?.！？ ]){0,9}$/),
    );
    fc.assert(
      fc.property(fc.array(said), (texts) => {
        const turns = texts.map((text, position) => at(String(position), position, position, text));
        for (const [id, { own, fromNeighbours, form }] of scoreTurns(turns)) {
          expect(own).toBe(Number(id));
          expect(fromNeighbours).toBeGreaterThanOrEqual(0);
          expect(form > 0 && form <= 1).toBe(true);
        }
      }),
    );
  });
});
