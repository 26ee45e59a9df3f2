import { describe, expect, it } from '@jest/globals';
import { containsEvidence, fromEvidence } from '../../src/demo/report.ts';

describe('evidence', () => {
  it('is found when any memory contains any of its words', () => {
    const memories = [{ content: 'Tess: hello' }, { content: '知夏: 我对芒果过敏。' }];
    expect(containsEvidence(memories, ['walnuts', '对芒果过敏'])).toBe(true);
    expect(containsEvidence(memories, ['walnuts'])).toBe(false);
  });

  it('shows a memory from the turn on that contains it', () => {
    expect(fromEvidence('[2025-01-01]\nA: one\nB: two\nA: three', ['two'])).toBe('… B: two\nA: three');
  });

  it('leaves a memory whole that lacks it or begins with it', () => {
    expect(fromEvidence('A: one\nB: two', ['three'])).toBe('A: one\nB: two');
    expect(fromEvidence('A: one\nB: two', ['one'])).toBe('A: one\nB: two');
  });
});
