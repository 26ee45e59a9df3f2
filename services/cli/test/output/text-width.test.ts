import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  displayWidth,
  shorten,
  wrap,
  wrapAtMost,
  wrapAtSpaces,
  wrapIndented,
} from '../../src/output/text/text-width.ts';

/** Words, Chinese, emoji and marks as they meet in memories. */
const text = fc
  .array(fc.constantFrom('boat', ' ', '面', '。', '“', '🐕', 'é', '-', 'x', '…', '海边'), { maxLength: 60 })
  .map((parts) => parts.join(''));

describe('display width', () => {
  it.each([
    ['abc', 3],
    ['知夏', 4],
    ['，。「」', 8],
    ['ＡＢ', 4],
    ['한글', 4],
    ['ひらがな', 8],
    ['🐕', 2],
    ['👩‍🍳', 2],
    ['e\u0301', 1],
    ['𠮷', 2],
    ['“quoted” – …', 12],
    ['नमस्ते', 3],
    ['ไม่รู้', 3],
    ['🇩🇪', 2],
    ['e\u0301'.repeat(1000), 1000],
  ])('of %s is what a terminal draws', (line, columns) => {
    expect(displayWidth(line)).toBe(columns);
  });
});

describe('shortening', () => {
  it('leaves a line alone that fits', () => {
    expect(shorten('知夏', 4)).toBe('知夏');
  });

  it('never cuts a wide character in half', () => {
    expect(shorten('知夏知夏', 6)).toBe('知夏…');
    expect(shorten('知夏知夏', 7)).toBe('知夏知…');
  });

  it('never exceeds its columns', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 30 }), (line, columns) => {
        expect(displayWidth(shorten(line, columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

describe('wrapping', () => {
  it('breaks English at spaces', () => {
    expect(wrap('Write it on the lid of the tin', 12)).toEqual(['Write it on', 'the lid of', 'the tin']);
  });

  it('breaks Chinese between characters and keeps closing marks with what they close', () => {
    expect(wrap('今天又加班，累。', 10)).toEqual(['今天又加', '班，累。']);
  });

  it('breaks what is longer than a line anywhere', () => {
    expect(wrap('http://127.0.0.1:8010/mcp', 10)).toEqual(['http://127', '.0.0.1:801', '0/mcp']);
    expect(wrap('abcdefghijklm', 5)).toEqual(['abcde', 'fghij', 'klm']);
  });

  it('keeps the line breaks of the text', () => {
    expect(wrap('a\n\nb', 10)).toEqual(['a', '', 'b']);
  });

  it('loses no character but spaces, and no line is wider than asked', () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 30 }), (line, columns) => {
        const lines = wrap(line, columns);
        expect(lines.join('').replace(/\s/g, '')).toBe(line.replace(/\s/g, ''));
        for (const one of lines) expect(displayWidth(one)).toBeLessThanOrEqual(columns);
      }),
    );
  });

  it('puts the further lines of a list item under its first word', () => {
    expect(wrapIndented('- one two three\n  four five six\n\nseven', 11)).toEqual([
      '- one two',
      '  three',
      '  four five',
      '  six',
      '',
      'seven',
    ]);
  });

  it('leaves out whole words where it can', () => {
    expect(wrapAtMost('the ferry on the thirteenth', 12, 1)).toEqual(['the ferry…']);
  });

  it('shows with "…" that lines were left out, within the width', () => {
    expect(wrapAtMost('one two three four', 5, 2)).toEqual(['one', 'two…']);
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 30 }), fc.integer({ min: 1, max: 4 }), (line, columns, maxLines) => {
        const lines = wrapAtMost(line, columns, maxLines);
        expect(lines.length).toBeLessThanOrEqual(maxLines);
        for (const one of lines) expect(displayWidth(one)).toBeLessThanOrEqual(columns);
        if (wrap(line, columns).length > maxLines) expect(lines.at(-1)).toMatch(/…$/);
      }),
    );
  });
});

describe('a line broken at spaces alone', () => {
  it('keeps an id whole, even one longer than a line', () => {
    const id = 'harbour-workshop:2025-01-14:7-11:9f86d081884c7d65';
    expect(wrapAtSpaces(`memories, score 0.88, ${id}`, 40, '  ')).toEqual(['memories, score 0.88,', `  ${id}`]);
    expect(wrapAtSpaces(`${id} and more`, 20)).toEqual([id, 'and more']);
  });

  it('does not count colour codes, and knows wide characters', () => {
    expect(wrapAtSpaces('\u001b[1mbold\u001b[22m text', 9)).toEqual(['\u001b[1mbold\u001b[22m text']);
    expect(wrapAtSpaces('知夏 问你', 8)).toEqual(['知夏', '问你']);
    expect(wrapAtSpaces('知夏 问你', 9)).toEqual(['知夏 问你']);
    expect(wrapAtSpaces('', 9)).toEqual(['']);
  });
});
