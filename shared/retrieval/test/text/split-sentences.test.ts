import { anyCharacter } from '@contextloom/testing/any-character';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { splitSentences } from '../../src/text/index.ts';

describe('splitSentences', () => {
  it.each<[string, readonly string[]]>([
    ['I left. He stayed! Why? ', ['I left. ', 'He stayed! ', 'Why? ']],
    ['“Go.” She went. (Fine.) Yes', ['“Go.” ', 'She went. ', '(Fine.) ', 'Yes']],
    ['well... ok', ['well... ', 'ok']],
    ['Dr. Li met J. Smith, e.g. at 3.30 p.m.', ['Dr. Li met J. Smith, e.g. at 3.30 p.m.']],
    ['Pi is 3.14, see a.b.c', ['Pi is 3.14, see a.b.c']],
    ['He and I. Then rain.', ['He and I. ', 'Then rain.']],
    ['今天下雨。我没带伞！你呢？', ['今天下雨。', '我没带伞！', '你呢？']],
    ['她说：“走吧。”然后走了……真快', ['她说：“走吧。”', '然后走了……', '真快']],
    ['真的吗?我不信!好吧', ['真的吗?', '我不信!', '好吧']],
    ['one\r\ntwo\n\nthree', ['one\r\n', 'two\n\n', 'three']],
    ['\n  first. second', ['\n  first. ', 'second']],
    ['  \n ', ['  \n ']],
    ['', []],
  ])('cuts %j', (text, sentences) => {
    expect(splitSentences(text)).toEqual(sentences);
  });

  it('gives parts that make up the text exactly, none of them empty', () => {
    const anyText = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc
        .array(fc.constantFrom('.', '!', '?', '。', '…', '”', ' ', '\n', 'a', 'Dr', '好'))
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(anyText, (text) => {
        const parts = splitSentences(text);
        expect(parts.join('')).toBe(text);
        expect(parts).not.toContain('');
      }),
      { numRuns: 500 },
    );
  });

  it.each(['.', '。', ' ', '\n', '."', 'Dr. '])('takes a megabyte of %j in one go', (unit) => {
    expect(splitSentences(unit.repeat(1_000_000 / unit.length)).join('')).toHaveLength(1_000_000);
  });
});
