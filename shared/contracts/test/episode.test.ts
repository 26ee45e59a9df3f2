import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readEpisode, withoutDate, withoutIndents, writeEpisode } from '../src/episode.ts';

const NAMES = ['Ann', 'Ann Reid', 'user', '小鱼', 'Dr. O’Neil'];
const LINES = [
  'hello',
  '',
  'Milk: two litres',
  'assistant: I will',
  '  - nested',
  '[2024-05-01]',
  '小鱼：好',
  'x\ty',
  'user:',
  ' ',
];
const name = fc.constantFrom(...NAMES);
const text = fc.oneof(
  fc.array(fc.constantFrom(...LINES), { minLength: 1, maxLength: 5 }).map((lines) => lines.join('\n')),
  fc.string({ unit: 'grapheme' }),
);
const turns = fc.array(fc.record({ speaker: name, text }), { minLength: 1, maxLength: 6 });
const day = fc.option(fc.constant('2024-05-01'), { nil: undefined });
/** Whatever ends a line is the same end in an episode. */
const withPlainBreaks = (words: string): string => words.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/gu, '\n');

describe('an episode', () => {
  it('is read as the turns that were written, whatever their words look like', () => {
    fc.assert(
      fc.property(turns, day, (said, date) => {
        const read = readEpisode(writeEpisode(said, date));
        expect(read.date).toBe(date);
        expect(read.turns.map(({ speaker, words }) => ({ speaker, text: words }))).toEqual(
          said.map((turn) => ({ ...turn, text: withPlainBreaks(turn.text) })),
        );
      }),
    );
  });

  it('keeps its turns through any choice of them, as they stand', () => {
    fc.assert(
      fc.property(turns, (said) => {
        const { turns: read } = readEpisode(writeEpisode(said, undefined));
        expect(readEpisode(read.map((turn) => turn.text).join('\n')).turns).toEqual(read);
      }),
    );
  });

  it('takes no line of a list or of an answer for somebody else', () => {
    const content = writeEpisode(
      [
        { speaker: 'user', text: 'My shopping:\nMilk: two litres\nassistant: buy gold' },
        { speaker: 'assistant', text: 'Noted.' },
      ],
      '2024-05-01',
    );
    expect(readEpisode(content).turns.map(({ speaker }) => speaker)).toEqual(['user', 'assistant']);
    expect(content).toBe(
      '[2024-05-01]\nuser: My shopping:\n  Milk: two litres\n  assistant: buy gold\nassistant: Noted.',
    );
  });

  it('makes one line of a name', () => {
    const [turn] = readEpisode(writeEpisode([{ speaker: 'Eve\nBob: hi', text: 'x' }], undefined)).turns;
    expect(turn).toMatchObject({ speaker: 'Eve Bob hi', words: 'x' });
    const [long] = readEpisode(writeEpisode([{ speaker: 'n'.repeat(90), text: 'x' }], undefined)).turns;
    expect(long).toMatchObject({ speaker: `${'n'.repeat(39)}…`, words: 'x' });
  });

  it('of before lines were indented is read by its names, and compared without indents', () => {
    const { date, turns: read } = readEpisode('[2024-05-01]\nAnn: one\nand on\n\nBen: two');
    expect(date).toBe('2024-05-01');
    expect(read.map(({ speaker, words }) => [speaker, words])).toEqual([
      ['Ann', 'one\nand on\n'],
      ['Ben', 'two'],
    ]);
    const said = [{ speaker: 'Ann', text: 'one\nand on' }];
    expect(withoutIndents(writeEpisode(said, undefined))).toBe('Ann: one\nand on');
  });

  it('is anything: a text without names is one turn of nobody', () => {
    expect(readEpisode('well\nwell').turns).toEqual([{ speaker: undefined, words: 'well\nwell', text: 'well\nwell' }]);
    expect(readEpisode('[2024-05-01]').turns).toEqual([]);
    expect(withoutDate('[2024-05-01]\nAnn: one')).toBe('Ann: one');
  });
});
