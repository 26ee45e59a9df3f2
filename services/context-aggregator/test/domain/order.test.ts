import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { inOrderOfTime, type Ordered } from '../../src/domain/memories/order.ts';

const DAY = Date.parse('2024-05-08T00:00:00Z');
const at = (name: string, time: number | undefined, sequence = '', position = 0): Ordered & { name: string } => ({
  name,
  at: time,
  ...(sequence !== '' && { place: { sequence, position } }),
});
const namesOf = (items: readonly { readonly name: string }[]): string => items.map(({ name }) => name).join(' ');

describe('the order of time', () => {
  it('puts the older before the newer, and leaves what has no time in its place', () => {
    const items = [at('newest', DAY + 2), at('undated', undefined), at('oldest', DAY), at('middle', DAY + 1)];
    expect(namesOf(inOrderOfTime(items))).toBe('oldest undated middle newest');
  });

  it('puts what was said at one time in the order in which it was said', () => {
    const items = [at('12-14', DAY, 's', 6), at('1-5', DAY, 's', 2), at('6-11', DAY, 's', 4)];
    expect(namesOf(inOrderOfTime(items))).toBe('1-5 6-11 12-14');
  });

  it('keeps what was said in one conversation together, and what stands alone in the order given', () => {
    const items = [
      at('b2', DAY, 'b', 2),
      at('alone', DAY),
      at('a2', DAY, 'a', 2),
      at('b1', DAY, 'b', 1),
      at('also alone', DAY),
      at('a1', DAY, 'a', 1),
    ];
    expect(namesOf(inOrderOfTime(items))).toBe('b1 b2 alone a1 a2 also alone');
  });

  it('is the same whatever order the items of one conversation came in', () => {
    const positions = fc.uniqueArray(fc.nat(20), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(positions, (given) => {
        const ordered = inOrderOfTime(given.map((position) => at(String(position), DAY, 's', position)));
        expect(ordered.map(({ place }) => place?.position)).toEqual([...given].sort((a, b) => a - b));
      }),
    );
  });
});
