import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createMask, findExpressionProblem, type MaskRule } from '../src/masks/index.ts';

const mask = (rule: Partial<MaskRule>) => createMask({ kinds: [], expressions: [], ...rule });

describe('kinds of what is masked', () => {
  it.each<[MaskRule['kinds'][number], string, string]>([
    ['card number', 'Pay with 4111 1111 1111 1111 now.', 'Pay with [masked: card number] now.'],
    ['card number', '卡号4111111111111111', '卡号[masked: card number]'],
    ['e-mail address', 'Write to ann.lee+x@mail.example.com, not Ben.', 'Write to [masked: e-mail address], not Ben.'],
    ['e-mail address', '我的邮箱是ann@example.com给我写信', '我的邮箱是[masked: e-mail address]给我写信'],
    ['IBAN', 'It is DE89 3704 0044 0532 0130 00 at the bank.', 'It is [masked: IBAN] at the bank.'],
    ['IBAN', 'gb29NWBK60161331926819!', '[masked: IBAN]!'],
    ['phone number', 'Call +44 20 7946 0958.', 'Call [masked: phone number].'],
    ['password', 'My password is hunter2!', 'My password is [masked: password]!'],
    ['health', 'It rained. I was diagnosed with asthma. We ate.', 'It rained. [masked: health] We ate.'],
    ['health', '天气好。我确诊了糖尿病。吃饭。', '天气好。[masked: health]吃饭。'],
  ])('masks a %s in %j', (kind, text, masked) => {
    expect(mask({ kinds: [kind] })(text)).toBe(masked);
  });

  it.each([
    ['card number', 'Order 4111 1111 1111 1112 has no check digit.'],
    ['e-mail address', 'Install zod@4.6.7 and @types/node.'],
    ['IBAN', 'DE89 3704 0044 0532 0130 01 has another check digit.'],
    ['health', 'The depressingly grey sky.'],
  ] as const)('leaves no %s in %j', (kind, text) => {
    expect(mask({ kinds: [kind] })(text)).toBe(text);
  });

  it('masks nothing of another kind', () => {
    expect(mask({ kinds: ['IBAN'] })('ann@example.com 4111 1111 1111 1111')).toContain('4111');
  });
});

describe('expressions', () => {
  it.each([
    [
      'project[- ]falcon',
      'About Project Falcon and PROJECT-FALCON.',
      'About [masked: expression] and [masked: expression].',
    ],
    ['账户\\d+', '请看账户1234。', '请看[masked: expression]。'],
    ['\\bbo\\b', 'Bo met Bob 😀 bo', '[masked: expression] met Bob 😀 [masked: expression]'],
    ['mask(ed)?', 'A masked one', 'A [masked: expression] one'],
  ])('mask what %s finds in %j', (expression, text, masked) => {
    const apply = mask({ expressions: [expression] });
    expect(apply(text)).toBe(masked);
    expect(apply(masked)).toBe(masked);
  });

  it('go with kinds', () => {
    const apply = mask({ kinds: ['e-mail address'], expressions: ['falcon'] });
    expect(apply('falcon: ann@example.com')).toBe('[masked: expression]: [masked: e-mail address]');
  });

  it.each(['(', '(?=a)', '(a)\\1', 'a*', 'x{1000}{1000}', 'a{90}b{90}', 'a'.repeat(1_001)])(
    'are refused: %s',
    (expression) => {
      expect(findExpressionProblem(expression)).toMatch(/^(?:must|is) /);
      expect(() => mask({ expressions: [expression] })).toThrow();
    },
  );

  it('find a word wherever it is in a long line', () => {
    fc.assert(
      fc.property(fc.nat(3_000), fc.nat(3_000), (before, after) => {
        const text = `${'x '.repeat(before)}falcon${' y'.repeat(after)}`;
        expect(mask({ expressions: ['falcon'] })(text)).toBe(text.replace('falcon', '[masked: expression]'));
      }),
      { numRuns: 40 },
    );
  });

  it.each(['(a+)+$', '(a|aa)+b', 'a(.*b)?', '(?:a?){20}a{20}', '[a-z]{1,40}x', '.+', '(.*)(.*)(.*)[^x]{20}b'])(
    'leave none of it where %s is hostile',
    (expression) => {
      const apply = mask({ expressions: [expression] });
      for (const text of ['a'.repeat(100_000), `${'a'.repeat(99_999)}b`, 'ax '.repeat(30_000), 'a\n'.repeat(50_000)]) {
        expect(apply(text).length).toBeLessThan(2_000_000);
      }
    },
  );
});
