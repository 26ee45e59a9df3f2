import { anyCharacter } from '@contextloom/testing/any-character';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fillPlaceholders } from '../../src/domain/texts.ts';

const names = { user: '小满', char: 'Uozumi' };

describe('placeholders', () => {
  it('are filled everywhere, on every line', () => {
    expect(fillPlaceholders('{{user}}{{char}}\n# {{user}}\r\n- {{char}}', names)).toBe(
      '小满Uozumi\n# 小满\r\n- Uozumi',
    );
  });

  it.each(['{{ user }}', '{{USER}}', '{{User}}', '{{\tuser }}'])('are recognised when written %j', (written) => {
    expect(fillPlaceholders(`<${written}>`, names)).toBe('<小满>');
  });

  it.each(['{user}', '{{users}}', '{{us er}}', '{{user}', '{{other}}', '{{\nuser}}', '${user}'])(
    'are not seen in %j',
    (written) => {
      expect(fillPlaceholders(written, names)).toBe(written);
    },
  );

  it.each(['$&', '$1', '$$', "$'", '$`', '{{char}}', '\\'])('take the name %j literally', (user) => {
    expect(fillPlaceholders('a {{user}} b', { ...names, user })).toBe(`a ${user} b`);
  });

  it('leave any text without a placeholder as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        fc.pre(!/\{\{[^\S\r\n]*(user|char)[^\S\r\n]*\}\}/i.test(text));
        expect(fillPlaceholders(text, names)).toBe(text);
      }),
    );
  });

  it('put any name between any two texts unchanged', () => {
    const plain = fc.string().map((text) => text.replace(/[{}]/g, ''));
    fc.assert(
      fc.property(plain, fc.string(), plain, (before, user, after) => {
        expect(fillPlaceholders(`${before}{{user}}${after}`, { ...names, user })).toBe(before + user + after);
      }),
    );
  });
});
