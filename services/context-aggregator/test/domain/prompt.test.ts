import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toMemorySection, toPrompt } from '../../src/domain/composing/prompt.ts';

const HEADER = '[补充记忆上下文]\n关于这位用户，请参考以下你之前的记忆：\n';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the test is about
const ANY_LINE_BREAK = /\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/u;

const lineBreaks = ['\n', '\r\n', '\r', '\v', '\f', '\u001c', '\u001d', '\u001e', '\u0085', '\u2028', '\u2029', '\n\n'];
const fragment = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom(...lineBreaks, '- ', '---', '$&', '$1', '{{user}}', '喜欢猫'),
);
const foreignText = fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join(''));

describe('toPrompt', () => {
  it('puts the memories before the persona prompt in the format of the design, byte for byte', () => {
    expect(toPrompt('# Uozumi 系统提示\n\n你是鱼住。', toMemorySection(['用户喜欢绿茶', '用户养了一只猫']))).toBe(
      '[补充记忆上下文]\n关于这位用户，请参考以下你之前的记忆：\n- 用户喜欢绿茶\n- 用户养了一只猫\n\n\n---\n\n# Uozumi 系统提示\n\n你是鱼住。',
    );
  });

  it.each([
    ['no memories', []],
    ['only blank memories', ['', '  ', '\n\u2028\t']],
  ])('gives the persona prompt alone when there are %s', (_name, memories) => {
    expect(toPrompt('You are Marlow.', toMemorySection(memories))).toBe('You are Marlow.');
  });

  it('skips blank memories among others', () => {
    expect(toMemorySection(['a', '   ', 'b'])).toBe(`${HEADER}- a\n- b\n`);
  });

  it.each(lineBreaks.filter((mark) => mark !== '\n\n').map((mark) => [JSON.stringify(mark), mark]))(
    'keeps a memory broken by %s one list item',
    (_name, mark) => {
      expect(toMemorySection([`first${mark}- second`])).toBe(`${HEADER}- first\n  - second\n`);
    },
  );

  it('does not read patterns in the persona prompt or in memories', () => {
    const hostile = "$& $1 $` $' $$ {{user}} ---\n\n---\n\n";
    expect(toPrompt(hostile, toMemorySection(['$& $$']))).toBe(`${HEADER}- $& $$\n\n\n---\n\n${hostile}`);
  });

  it('ends with the persona prompt byte for byte, whatever the memories', () => {
    fc.assert(
      fc.property(fc.array(foreignText, { maxLength: 8 }), foreignText, (memories, persona) => {
        const prompt = toPrompt(persona, toMemorySection(memories));
        expect(prompt.endsWith(persona)).toBe(true);
        expect(prompt.slice(0, prompt.length - persona.length)).toBe(toPrompt('', toMemorySection(memories)));
      }),
    );
  });

  it('makes every memory that is not blank exactly one list item, with nothing of it lost', () => {
    fc.assert(
      fc.property(fc.array(foreignText, { minLength: 1, maxLength: 8 }), (memories) => {
        const told = memories.filter((memory) => memory.trim() !== '');
        const lines = toMemorySection(memories).slice(HEADER.length).split(ANY_LINE_BREAK).slice(0, -1);
        const items: string[][] = [];
        for (const line of lines) {
          if (line.startsWith('- ')) items.push([]);
          else expect(line.startsWith('  ')).toBe(true);
          items.at(-1)?.push(line.slice(2));
        }
        expect(items).toEqual(told.map((memory) => memory.split(ANY_LINE_BREAK)));
      }),
    );
  });
});
