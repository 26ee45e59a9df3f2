import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { withoutPrivate, withoutPrivateMessages } from '../src/private.ts';

describe('what is marked as private', () => {
  it.each([
    ['I like tea. <private>My PIN is 12.</private> And cake.', 'I like tea. [private] And cake.'],
    ['a <PRIVATE>b <private>c</private> d</private> e', 'a [private] e'],
    ['before <private>never closed\nand more', 'before [private]'],
    ['<private>all of it</private>', ''],
    ['Off the record: I applied elsewhere.', ''],
    ['off the record, I hate it', ''],
    ['别记：我在找新工作', ''],
    ['别记！', ''],
    ['I applied elsewhere. (off the record)', ''],
    ['我在找新工作（别记）', ''],
  ])('is left out of %j', (text, kept) => {
    expect(withoutPrivate(text)).toBe(kept);
  });

  it.each([
    'The off the record player is broken.',
    'Off the record player shops there are two.',
    'She told me off the record that it rains.',
    '别记恨我',
    '别记错了时间',
    'Write <b>private</b> on it.',
    'It ends with </private> alone.',
  ])('is not read into %j', (text) => {
    expect(withoutPrivate(text)).toBe(text);
  });

  it('never leaves a character of what stands between the marks', () => {
    const words = fc.string().filter((text) => !/[<>[\]]/u.test(text));
    fc.assert(
      fc.property(fc.array(fc.tuple(words, fc.boolean())), (parts) => {
        const text = parts.map(([, isPrivate], at) => (isPrivate ? `<private>§${at}§</private>` : `+${at}+`)).join('');
        expect(withoutPrivate(text)).not.toContain('§');
        const open = parts.flatMap(([, isPrivate], at) => (isPrivate ? [] : [`+${at}+`]));
        for (const one of open) expect(withoutPrivate(text)).toContain(one);
      }),
    );
  });

  it('is left out of messages of any shape, and where it is closed of one text of several', () => {
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'a <private>b</private>' }] },
      { content: '别记：c' },
    ];
    expect(withoutPrivateMessages(messages)).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'a [private]' }] },
      { content: '' },
    ]);
    const text = 'Ann: a <private>b</private>\nBob: c\nAnn: <private>d\nBob: e';
    expect(withoutPrivateMessages(text)).toBe('Ann: a [private]\nBob: c\nAnn: <private>d\nBob: e');
  });
});
