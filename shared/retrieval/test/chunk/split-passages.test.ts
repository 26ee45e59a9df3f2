import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { splitPassages } from '../../src/chunk/index.ts';

const textsOf = (text: string) => splitPassages(text).map(({ from, to }) => text.slice(from, to));
const words = (about: string, times = 12) => `A sentence about ${about} of ten words in all. `.repeat(times).trim();

describe('splitPassages', () => {
  it('leaves a short text whole, in Latin letters and in Chinese characters', () => {
    expect(textsOf('- one\n\n- two')).toEqual(['- one\n\n- two']);
    expect(textsOf('港口的灯塔看守人住在利斯。'.repeat(20)).length).toBeGreaterThan(1);
  });

  it('cuts between paragraphs, and keeps a heading and an announcement with what follows', () => {
    const text = [`# Rent\n\n${words('rent', 5)}`, `The plan:\n\n- pack\n- ${words('moving', 3)}`, words('boxes', 6)];
    expect(textsOf(text.join('\n\n'))).toEqual([`${text[0]}\n\n`, `${text[1]}\n\n`, text[2]]);
  });

  it('cuts a long list between items, code and tables between lines, and names the head of a table', () => {
    const list = Array.from({ length: 30 }, (_, at) => `- item ${at} is about boxes and nothing else\n`).join('');
    for (const part of textsOf(list)) expect(part.startsWith('- item') && part.endsWith('\n')).toBe(true);
    const code = `\`\`\`ts\n${'const value = compute(value, other);\n'.repeat(40)}\`\`\``;
    for (const part of textsOf(code)) expect(code).toContain(part);
    expect(textsOf(code).every((part) => part.endsWith('\n') || part.endsWith('```'))).toBe(true);
    const table = `| a | b |\n|---|---|\n${'| some words | further words |\n'.repeat(40)}`;
    const [first, second] = splitPassages(table);
    expect(first?.head).toBeUndefined();
    expect(table.slice(second?.head?.from, second?.head?.to)).toBe('| a | b |\n|---|---|');
  });

  it('covers every text exactly, in parts that are not empty', () => {
    const part = fc.constantFrom(
      '# H\n',
      '- i\n',
      '\n\n',
      '```\n',
      'words '.repeat(40),
      '| a |\n|-|\n',
      '灯塔。',
      ':\n',
      '…',
    );
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 40 }), (parts) => {
        const text = parts.join('');
        expect(textsOf(text).join('')).toBe(text);
        expect(textsOf(text).every((one) => one !== '')).toBe(true);
      }),
    );
  });
});
