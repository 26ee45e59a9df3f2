import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findJsonFault } from '../../src/formats/json-syntax.ts';

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

  it('names the line and what should stand there', () => {
    expect(findJsonFault('{\n"a": 1\n"b": 2}')).toEqual({ line: 3, expected: '"," or the closing bracket' });
    expect(findJsonFault('{"a": "line\nbreak"}')).toEqual({ line: 1, expected: 'a value' });
    expect(findJsonFault('{} x')).toEqual({ line: 1, expected: 'the end' });
  });

  it('follows a string of megabytes', () => {
    expect(findJsonFault(`["${'a\\n'.repeat(1_000_000)}",]`)).toEqual({ line: 1, expected: 'a value' });
  });
});
