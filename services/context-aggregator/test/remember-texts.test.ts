import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { rememberTexts } from '../src/domain/composing/remember-texts.ts';

describe('rememberTexts', () => {
  it('reads a text once as long as there is room, and gives what was read, whatever comes in between', () => {
    const texts = fc.array(fc.constantFrom('', 'a', 'bb', '豆腐', 'a long text', 'another long text'));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 60 }), (asked, room) => {
        const read: string[] = [];
        const lengthOf = rememberTexts((text) => {
          read.push(text);
          return text.length;
        }, room);
        expect(asked.map(lengthOf)).toEqual(asked.map(({ length }) => length));
        const characters = [...new Set(asked)].reduce((sum, { length }) => sum + Math.max(1, length), 0);
        if (characters <= room) expect(read).toEqual([...new Set(asked)]);
      }),
    );
  });

  it('forgets the text that was used longest ago when there is no room', () => {
    const read: string[] = [];
    const remember = rememberTexts((text) => read.push(text), 4);
    for (const text of ['aa', 'bb', 'aa', 'cc', 'aa', 'bb']) remember(text);
    expect(read).toEqual(['aa', 'bb', 'cc', 'bb']);
  });
});
