import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findJsonFault } from '../src/formats/json/json-syntax.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('findJsonFault', () => {
  it('finds none in JSON, and one in whatever JSON.parse refuses', () => {
    const mutated = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', ']', '{', '"', ':', ' 1', '\n', 'tru'))
      .map(([text, at, insert]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + insert + text.slice(place + (insert === '' ? 1 : 0));
      });
    fc.assert(
      fc.property(fc.oneof(fc.json(), mutated), (text) => {
        expect(findJsonFault(text) === undefined).toBe(isJson(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it.each([
    ['{\n"a": 1\n"b": 2}', 3, 'expected "," or the closing bracket'],
    ['{"turns": [\n1,', 2, 'expected a value'],
    ['{"turns": [', 1, 'expected the closing bracket'],
    ['{"a": 1,\r\n}', 2, 'expected a key in double quotes'],
    ["{'a': 1}", 1, 'expected double quotes, a number, true, false, null or a bracket'],
    ['{"a" 1}', 1, 'expected ":"'],
    ['{"a": "line\nbreak"}', 1, 'expected the closing quote on the same line'],
    ['["\\x"]', 1, 'expected an escape that JSON has, such as \\n or \\u00e9'],
    ['["\t"]', 1, 'expected control characters to be escaped'],
    ['[1.]', 1, 'expected a whole number or a decimal'],
    ['{}\n[]', 2, 'expected the end'],
    ['{} // words', 1, 'comments are not JSON'],
  ])('names the line of %p and what is wrong', (text, line, problem) => {
    expect(findJsonFault(text)).toEqual({ line, problem });
  });

  it('follows a string of megabytes', () => {
    expect(findJsonFault(`["${'a\\n'.repeat(1_000_000)}",]`)).toEqual({ line: 1, problem: 'expected a value' });
  });

  it('says that brackets nest too deeply, and keeps a fault that it found before', () => {
    const deep = '['.repeat(100_000);
    expect(findJsonFault(deep)).toEqual({ problem: 'its brackets nest too deeply' });
    expect(findJsonFault(`[1 ${deep}`)).toEqual({ line: 1, problem: 'expected "," or the closing bracket' });
  });
});
