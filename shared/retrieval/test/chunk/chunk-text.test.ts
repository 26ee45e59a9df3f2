import { anyCharacter } from '@contextloom/testing/any-character';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type Chunk, type CountTokens, chunkText } from '../../src/chunk/index.ts';

/** Words and punctuation count one each, so do CJK characters: near to what models count. */
const countWords: CountTokens = (text) => text.match(/\p{Script=Han}|[^\s\p{Script=Han}]{1,6}/gu)?.length ?? 0;
const countBytes: CountTokens = (text) => Math.ceil(Buffer.byteLength(text) / 3);
/** A whole that counts more than its parts. */
const countSuperlinearly: CountTokens = (text) => text.length + Math.floor(text.length / 20);

const counters: Readonly<Record<string, CountTokens>> = { countWords, countBytes, countSuperlinearly };

const textsOf = (chunks: readonly Chunk[]) => chunks.map(({ text }) => text);
const sentences = (count: number, word = 'tea') =>
  Array.from({ length: count }, (_, at) => `We drank the ${word} number ${at}. `).join('');
const fence = (lines: number) => `\`\`\`ts\n${'const tea = brew(1);\n'.repeat(lines)}\`\`\`\n`;

describe('chunkText', () => {
  it('leaves a short text whole, and makes nothing of a blank one', () => {
    expect(chunkText('A cup of tea.', { countTokens: countWords })).toEqual([
      { text: 'A cup of tea.', from: 0, to: 13 },
    ]);
    expect(chunkText('', { countTokens: countWords })).toEqual([]);
    expect(chunkText(' \n\n ', { countTokens: countWords })).toEqual([]);
  });

  it('cuts between sentences, and repeats the last whole ones', () => {
    const chunks = chunkText(sentences(40), { countTokens: countWords, size: 50, overlap: 14 });
    expect(chunks.length).toBeGreaterThan(5);
    for (const { text } of chunks) expect(text).toMatch(/^We drank [\s\S]*\. $/);
    for (const [at, { from }] of chunks.slice(1).entries()) expect(chunks[at]?.to).toBeGreaterThan(from);
  });

  it('cuts before a heading, and never between it and its text', () => {
    const text = `# One\n\n${sentences(6)}\n\n# Two\n\n${sentences(6)}`;
    expect(textsOf(chunkText(text, { countTokens: countWords, size: 60, overlap: 0 }))).toEqual([
      text.slice(0, text.indexOf('# Two')),
      text.slice(text.indexOf('# Two')),
    ]);
    const long = Array.from({ length: 20 }, (_, at) => `## Part ${at}\n\n${sentences(5)}\n`).join('\n');
    for (const { text: one } of chunkText(long, { countTokens: countWords, size: 50, overlap: 8 })) {
      expect(one.trimEnd()).not.toMatch(/## Part \d+$/);
    }
  });

  it('keeps fenced code whole that fits, however little stands before it', () => {
    const code = fence(14);
    const text = `${sentences(8)}\n\n${code}\n${sentences(8)}`;
    const chunks = chunkText(text, { countTokens: countWords, size: 100, overlap: 20 });
    expect(countWords(code)).toBeGreaterThan(60);
    expect(chunks.filter(({ text: one }) => one.includes(code))).toHaveLength(1);
  });

  it('cuts longer code between lines', () => {
    const chunks = chunkText(fence(60), { countTokens: countWords, size: 50, overlap: 10 });
    for (const { text } of chunks.slice(0, -1)) expect(text).toMatch(/^(```ts|const)[\s\S]*;\n$/);
  });

  it('takes blocks inside of code for code', () => {
    const text = `~~~\n# no heading\n\n${'- no item\n'.repeat(12)}\`\`\`\n~~~\n\n# Heading\n\n${sentences(6)}`;
    const [first] = textsOf(chunkText(text, { countTokens: countWords, size: 60, overlap: 0 }));
    expect(first).toBe(text.slice(0, text.indexOf('# Heading')));
  });

  it('cuts Chinese between sentences, and a sentence of a hundred characters between them', () => {
    const chinese = '我们昨天喝了龙井茶。'.repeat(20);
    for (const text of textsOf(chunkText(chinese, { countTokens: countWords, size: 50, overlap: 10 }))) {
      expect(text).toMatch(/^我们[\s\S]*。$/u);
    }
    const long = chunkText('茶'.repeat(100), { countTokens: countWords, size: 20, overlap: 4 });
    expect(long.slice(0, -1).every(({ text }) => countWords(text) >= 15)).toBe(true);
    for (const [at, { from }] of long.slice(1).entries()) expect((long[at]?.to ?? 0) - from).toBe(4);
  });

  it('cuts a long sentence between words', () => {
    const text = 'saffron rice with oranges '.repeat(60);
    for (const one of textsOf(chunkText(text, { countTokens: countWords, size: 40, overlap: 6 }))) {
      expect(one).toMatch(/^(saffron|rice|with|oranges) [\s\S]*(saffron|rice|with|oranges) $/);
    }
  });

  it.each([
    [{ size: 7 }, 'size must be a whole number of at least 8'],
    [{ size: 20.5 }, 'size must be a whole number of at least 8'],
    [{ size: 20, overlap: 11 }, 'overlap must be a whole number from 0 to half of size'],
    [{ overlap: -1 }, 'overlap must be a whole number from 0 to half of size'],
  ])('refuses %j', (bounds, message) => {
    expect(() => chunkText('tea', { countTokens: countWords, ...bounds })).toThrow(message);
  });

  const piece = fc.oneof(
    fc.constantFrom('# Heading\n', '\n\n', '\n', '- item ', '```\n', 'code();\n', '~~~~\n', '| a | b |\n', '> said '),
    fc.constantFrom('We drank tea. ', '我们喝茶。', '茶', 'word ', 'Mr. Li ', 'x'.repeat(80), ' '.repeat(60)),
    fc.constantFrom('👨‍👩‍👧', '🇨🇳', 'e\u0301', '\u0301'.repeat(40), '\ud83d'),
    fc.string({ unit: anyCharacter }),
  );
  const document = fc.array(piece, { maxLength: 60 }).map((parts) => parts.join(''));

  it.each(Object.entries(counters))('covers any text with chunks in bounds, counted by %s', (_, countTokens) => {
    fc.assert(
      fc.property(document, fc.integer({ min: 8, max: 60 }), fc.double({ min: 0, max: 0.5 }), (text, size, share) => {
        const overlap = Math.floor(size * (Number.isNaN(share) ? 0 : share));
        const chunks = chunkText(text, { countTokens, size, overlap });
        if (text.trim() === '') return expect(chunks).toEqual([]);
        let previous: Chunk = { text: '', from: -1, to: 0 };
        for (const chunk of chunks) {
          expect(chunk.text).toBe(text.slice(chunk.from, chunk.to));
          expect(countTokens(chunk.text)).toBeLessThanOrEqual(size);
          expect(chunk.from).toBeGreaterThan(previous.from);
          expect(chunk.from).toBeLessThanOrEqual(previous.to);
          expect(chunk.to).toBeGreaterThan(previous.to);
          expect(countTokens(text.slice(chunk.from, previous.to))).toBeLessThanOrEqual(overlap);
          // No chunk begins inside of a surrogate pair.
          expect(/^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(chunk.from - 1, chunk.from + 1))).toBe(false);
          previous = chunk;
        }
        expect(previous.to).toBe(text.length);
      }),
    );
  });

  it.each([
    ['a word without an end', 'x'],
    ['words', 'tea and '],
    ['Chinese', '茶'],
    ['blanks', ' '],
    ['lines', 'tea\n'],
    ['fences', '```\n'],
    ['marks', '\u0301'],
    ['items', '- tea. '],
  ])('counts no character of a megabyte of %s more than ten times', (_, part) => {
    let counted = 0;
    const countTokens: CountTokens = (text) => {
      counted += text.length;
      return countBytes(text);
    };
    const text = `tea ${part.repeat(Math.ceil(1_000_000 / part.length))}`;
    const chunks = chunkText(text, { countTokens });
    expect(chunks.length).toBeGreaterThan(500);
    expect(counted).toBeLessThan(10 * text.length);
  });
});
