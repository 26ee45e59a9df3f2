import { describe, expect, it } from '@jest/globals';
import { readVerdicts, verdictsSchema } from '../../../src/domain/grounding/answer/verdicts.ts';

const read = (answer: unknown) => [...readVerdicts(verdictsSchema.parse(answer), 3)];
const both = [
  [1, 'supported'],
  [2, 'not_said'],
];

describe('verdicts of claims', () => {
  it.each<[string, unknown]>([
    ['as asked for', { verdicts: ['1 supported', '2 not_said'] }],
    [
      'as objects',
      {
        verdicts: [
          { claim: 1, verdict: 'supported' },
          { claim: '2', verdict: 'not said' },
        ],
      },
    ],
    ['by number', { verdicts: { 1: 'supported', 2: 'Not supported' } }],
    ['as a bare list', ['Claim 1: SUPPORTED', '[2]: unsupported']],
  ])('are read %s', (_name, answer) => {
    expect(read(answer)).toEqual(both);
  });

  it('without numbers are those of all claims in order, and of none when one is missing', () => {
    expect(read(['supported', 'not_said', 'contradicted'])).toEqual([...both, [3, 'contradicted']]);
    expect(read(['supported', 'not_said'])).toEqual([]);
  });

  it('that no claim has, that say nothing, or two of one claim are left out', () => {
    expect(read(['0 supported', '4 supported', '1 perhaps', '2 supported', '2 contradicted', 7, null])).toEqual([]);
  });
});
