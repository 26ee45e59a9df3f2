import { anyCharacter } from '@contextloom/testing/any-character';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cutSnippet, findMatches, tokenize } from '../../src/text/index.ts';

/** The snippet of a text for a query, with its matches in square brackets. */
function show(text: string, query: string, maxLength?: number): string {
  const snippet = cutSnippet(text, findMatches(text, tokenize(query)), maxLength === undefined ? {} : { maxLength });
  let shown = '';
  let end = 0;
  for (const [from, to] of snippet.ranges) {
    shown += `${snippet.text.slice(end, from)}[${snippet.text.slice(from, to)}]`;
    end = to;
  }
  return shown + snippet.text.slice(end);
}

describe('findMatches', () => {
  const tokensOf = (text: string, query: string) => findMatches(text, tokenize(query)).map(({ token }) => token);

  it('finds words by their stems, whatever their case, width, marks and apostrophes', () => {
    expect(show('Walking, WALKED; Ｗａｌｋｓ. A walker’s café', 'walk cafe')).toBe(
      '[Walking], [WALKED]; [Ｗａｌｋｓ]. A walker’s [café]',
    );
    expect(show('co\u00ADop and 1,000 times', 'coop 1000')).toBe('[co\u00ADop] and [1,000] times');
  });

  it('finds pairs of Chinese characters, and single ones that stand in no pair that was found', () => {
    expect(show('小红对花生过敏，生活过得好', '花生过敏')).toBe('小红对[花生过敏]，生活过得好');
    expect(tokensOf('小红对花生过敏，生活过得好', '花生过敏')).toEqual(['花生', '生过', '过敏']);
    expect(show('Rex 喜欢猫', 'Rex 的猫')).toBe('[Rex] 喜欢[猫]');
  });

  it('finds Chinese in the other script', () => {
    expect(show('小紅對花生過敏，喜歡貓', '过敏 猫')).toBe('小紅對花生[過敏]，喜歡[貓]');
    expect(show('小红对花生过敏，喜欢猫', '過敏 貓')).toBe('小红对花生[过敏]，喜欢[猫]');
  });

  it('finds nothing where nothing is', () => {
    expect(tokensOf('tea', 'coffee')).toEqual([]);
    expect(tokensOf('', 'coffee')).toEqual([]);
    expect(tokensOf('coffee', '?!')).toEqual([]);
  });
});

describe('cutSnippet', () => {
  it('gives a short text whole', () => {
    expect(show('  Ann sings.\n', 'sing')).toBe('Ann [sings].');
  });

  it('takes the passage with the most different words of the query, not the first nor the most repeated', () => {
    const filler = 'nothing to see here '.repeat(30);
    const text = `tea ${filler} tea tea tea ${filler} green tea in Kyoto ${filler}`;
    expect(show(text, 'green tea Kyoto', 60)).toMatch(/^….*\[green\] \[tea\] in \[Kyoto\].*…$/);
    expect(show(text, 'green tea Kyoto')).toMatch(/^….*\[green\] \[tea\] in \[Kyoto\].*…$/);
  });

  it('shows the beginning of a text without a match', () => {
    expect(show('one two three four five six', 'seven', 12)).toBe('one two…');
    expect(show('今天下雨，明天不下雨', '猫', 8)).toBe('今天下雨，明…');
  });

  it('cuts Latin text between words and Chinese text between characters', () => {
    const words = 'alpha beta gamma delta epsilon zeta eta theta iota kappa';
    expect(show(words, 'epsilon', 30)).toBe('…delta [epsilon] zeta eta…');
    expect(show('一二三四五六七八九十猫甲乙丙丁戊己庚辛壬癸', '猫', 11)).toBe('…七八九十[猫]甲乙丙丁…');
  });

  it('cuts no emoji, no letter with its marks and no flag in two', () => {
    const family = '👩‍👩‍👧';
    for (const unit of ['😀', family, '👍🏽', 'e\u0301 ', '🇦🇹 ', '한 ']) {
      const text = `${unit.repeat(30)} tea ${unit.repeat(30)}`;
      for (let maxLength = 20; maxLength < 40; maxLength += 1) {
        const inside = show(text, 'tea', maxLength)
          .replace(/^…|…$/g, '')
          .split(/\s*\[tea\]\s*/);
        for (const side of inside) expect(side.replaceAll(unit.trim(), '').trim()).toBe('');
      }
    }
  });

  it('cuts what has no border where it must', () => {
    expect(show('x'.repeat(500), 'tea')).toBe(`${'x'.repeat(198)}…`);
    expect(show(`${'x'.repeat(250)} tea`, 'x'.repeat(250), 20)).toBe(`[${'x'.repeat(18)}]…`);
  });

  it('gives a part of the text within its bounds, its ranges ascending, apart and inside, for any text', () => {
    const piece = fc.constantFrom(
      'tea',
      'Tee',
      ' ',
      '\n',
      '猫',
      '花生',
      '。',
      '😀',
      '👩‍👩‍👧',
      'e\u0301',
      '\ud800',
      '\u200b',
      '𠮷',
      '…',
    );
    const anyText = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 600 }),
      fc
        .array(fc.oneof(piece, fc.string({ unit: 'grapheme', maxLength: 8 })), { maxLength: 200 })
        .map((parts) => parts.join('')),
      fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 400 }).map((units) => String.fromCharCode(...units)),
    );
    const length = fc.oneof(fc.constant(200), fc.integer({ min: 3, max: 60 }));
    fc.assert(
      fc.property(anyText, fc.oneof(anyText, fc.constant('tea 花生 猫 𠮷')), length, (text, query, maxLength) => {
        const snippet = cutSnippet(text, findMatches(text, tokenize(query)), { maxLength });
        expect(snippet.text.length).toBeLessThanOrEqual(maxLength);
        const variants = [/^…/, /…$/, /^…|…$/g].map((ellipsis) => snippet.text.replace(ellipsis, ''));
        expect([snippet.text, ...variants].some((variant) => text.includes(variant))).toBe(true);
        let end = -1;
        for (const [from = -1, to = -1] of snippet.ranges) {
          expect(from).toBeGreaterThan(end);
          expect(to).toBeGreaterThan(from);
          end = to;
        }
        expect(end).toBeLessThanOrEqual(snippet.text.length);
      }),
      { numRuns: 1_000 },
    );
  });

  it('finds a match wherever the tokeniser finds the token, in plain text', () => {
    const plain = fc.array(fc.constantFrom('tea', 'Walks', '小明', '喝', ' ', '，', '1,000', "don't"), {
      maxLength: 40,
    });
    fc.assert(
      fc.property(plain, plain, (texts, queries) => {
        const [text, query] = [texts.join(''), tokenize(queries.join(''))];
        const held = new Set(tokenize(text, { keepStopWords: true }).terms);
        const wanted = query.terms.filter((term) => held.has(term));
        const found = new Set(findMatches(text, query).map(({ token }) => token));
        for (const term of wanted) expect(found).toContain(term);
      }),
    );
  });

  it.each(['x', '猫', 'tea ', '😀', '\u0301', 'e\u0301', 'ー', '🇦', ' '])(
    'takes a megabyte of %j in one go',
    (unit) => {
      const text = unit.repeat(1_000_000 / unit.length);
      expect(cutSnippet(text, findMatches(text, tokenize('tea 猫 x'))).text.length).toBeLessThanOrEqual(200);
    },
  );
});
