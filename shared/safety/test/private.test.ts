import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  mapTexts,
  withoutPrivate,
  withoutPrivateIn,
  withoutPrivateInLine,
  withoutPrivateMessages,
} from '../src/private.ts';

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

  it.each([
    ['a <private>b <private>c</private> d</private> e', 'a [private] e'],
    ['<private>all</private>', '[private]'],
    ['<private class="x">b</private> c', '[private] c'],
    ['os_log: <private> opened <private>b</private>', 'os_log: <private> opened [private]'],
    ['x</private> <private>b</private><private>c</private>', 'x</private> [private][private]'],
    ['Off the record: an article', 'Off the record: an article'],
    ['<privateer> and <private-key>k</private-key>', '<privateer> and <private-key>k</private-key>'],
  ])('leaves a document %j with its closed marks out', (text, kept) => {
    expect(withoutPrivateIn(text)).toBe(kept);
  });

  it('is left out of values and names at any depth, and nothing else changes', () => {
    const at = new Date(0);
    const value = { 'k<private>1</private>': [{ a: 'b<private>2</private>' }], at, n: null, o: 5 };
    expect(withoutPrivateIn(value)).toEqual({ 'k[private]': [{ a: 'b[private]' }], at, n: null, o: 5 });
    const paths: string[] = [];
    mapTexts({ a: [{ b: 'c' }], d: 'e' }, (text, path) => {
      paths.push(path);
      return text;
    });
    expect(paths).toEqual(['a.0.b', 'd']);
  });

  it('is left out of a line of an archive however it is escaped; other lines stay byte for byte', () => {
    expect(withoutPrivateInLine('{"a":"\\u003cPRIVATE\\u003ex\\u003c/private\\u003e"}')).toBe('{"a":"[private]"}');
    for (const line of ['{"a": "private  \\u0061"}', 'private, no JSON', '{}'])
      expect(withoutPrivateInLine(line)).toBe(line);
  });
});
