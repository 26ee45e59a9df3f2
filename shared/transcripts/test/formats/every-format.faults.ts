import { describe, expect, it } from '@jest/globals';
import { readDamaged, toTurns } from '../support/damaged.ts';
import { FORMAT_SAMPLES } from '../support/format-samples.ts';

const FIRST = 'hello tea';

describe.each(FORMAT_SAMPLES.map((sample) => [sample.format, sample] as const))('%s', (_format, sample) => {
  const { text } = sample;

  it('with names of 10,000 characters, lines of a million, and years that there are not, is read or refused in a sentence', () => {
    const damaged = [
      text.replaceAll('Ann', 'N'.repeat(10_000)),
      text.replace(FIRST, `${FIRST}${'x'.repeat(1_000_000)}`),
      text.replaceAll('2024', '0000'),
      text.replaceAll('2024', '99999'),
    ];
    for (const one of damaged) {
      const read = readDamaged(one, sample);
      if (typeof read === 'string') continue;
      for (const { speaker, at } of toTurns(read)) {
        expect(speaker.length).toBeLessThanOrEqual(40);
        expect(at ?? '2024').toMatch(/^(?:19[789]|20)\d/u);
      }
    }
  });
});
