import { describe, expect, it } from '@jest/globals';
import { describeExtractor } from '../../src/output/extractor.ts';

describe('who made memories', () => {
  it.each([
    [{ kind: 'rules', name: 'rules' } as const, 'written rules'],
    [{ kind: 'rules', name: 'episodes 2' } as const, 'written rules (episodes 2)'],
    [{ kind: 'model', name: 'qwen3' } as const, 'the model qwen3'],
    [undefined, 'not told'],
    [null, 'not told'],
  ])('%j reads as %s', (extractor, words) => {
    expect(describeExtractor(extractor)).toBe(words);
  });
});
