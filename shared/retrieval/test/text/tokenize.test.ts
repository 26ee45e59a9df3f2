import { anyCharacter } from '@contextloom/testing/any-character';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countTokens, tokenize } from '../../src/text/index.ts';

const unicode = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 200 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 200 }).map((units) => String.fromCharCode(...units)),
);

describe('tokenize: English and other alphabetic words', () => {
  it('stems words, so that forms of one word meet', () => {
    expect(tokenize('Running dogs').terms).toEqual(tokenize('run dog').terms);
  });

  it('keeps order and repeats, which BM25 counts', () => {
    expect(tokenize('cat dog cat').terms).toEqual(['cat', 'dog', 'cat']);
  });

  it.each([
    ['possessives', "Alice's dogs' toys", ['alic', 'dog', 'toi']],
    ['typographic possessives', 'Alice’s', ['alic']],
    ['contractions, which are stop words', "I don't think they’ll swim, I'd ski", ['think', 'swim', 'ski']],
    ['words that look like a contraction', 'ill shell id wed', ['ill', 'shell', 'id', 'wed']],
    ['names with an apostrophe, spelled either way', "O'Brien OBrien", ['obrien', 'obrien']],
    ['diacritics', 'Crème brûlée at Café Łódź, Straße', ['creme', 'brule', 'cafe', 'lodz', 'strass']],
    ['full-width letters and digits', 'ＧＰＴ４ ok', ['gpt4', 'ok']],
    ['numbers and dates', '7 May 2023, 10:30', ['7', 'mai', '2023', '10', '30']],
    ['digit groups', 'paid 1,250,000 for 3,14', ['paid', '1250000', '3', '14']],
    ['identifiers', 'user_id KB_PORT=8000 a@example.com', ['user', 'id', 'kb', 'port', '8000', 'exampl', 'com']],
    ['other alphabetic scripts whole', 'Привет мир, שלום', ['привет', 'мир', 'שלום']],
    ['marks that are letters of their script', 'हिन्दी', ['हिन्दी']],
    ['soft hyphens and joiners', 'co\u00adope\u200drate', tokenize('cooperate').terms],
  ])('reads %s', (_, text, terms) => {
    expect(tokenize(text).terms).toEqual(terms);
  });

  it('leaves out stop words when something else is left', () => {
    expect(tokenize('Where is the red house?').terms).toEqual(['red', 'hous']);
  });

  it('keeps stop words when nothing else is left', () => {
    expect(tokenize('Who am I?').terms).toEqual(['who', 'am', 'i']);
  });

  it('keeps stop words unstemmed for an index, so that a query of stop words finds them', () => {
    expect(tokenize('This was his house', { keepStopWords: true }).terms).toEqual(['this', 'was', 'his', 'hous']);
  });

  it('drops emoji, even those whose compatibility form is a letter', () => {
    expect(tokenize('👍🏽 ok ™ ㊗️ Ⓜ️ 👨‍👩‍👧 🇨🇳')).toEqual({ terms: ['ok'], unigrams: [] });
  });

  it('keeps the digit of a keycap emoji', () => {
    expect(tokenize('1️⃣').terms).toEqual(['1']);
  });

  it('cuts a word of more than 256 characters and loses none of it', () => {
    const word = 'x1'.repeat(1000);
    expect(tokenize(word).terms.join('')).toBe(word);
  });
});

describe('tokenize: Chinese, Japanese and Korean', () => {
  it('gives bigrams as terms and single characters as unigrams', () => {
    expect(tokenize('喜欢猫')).toEqual({ terms: ['喜欢', '欢猫'], unigrams: ['喜', '欢', '猫'] });
  });

  it('reads traditional characters as the simplified ones', () => {
    expect(tokenize('喜歡貓')).toEqual(tokenize('喜欢猫'));
    expect(tokenize('頭髮，發展')).toEqual(tokenize('头发，发展'));
    expect(tokenize('我們', { keepStopWords: true })).toEqual(tokenize('我们', { keepStopWords: true }));
    // As many characters, though the simplified one lies beyond the basic plane.
    expect(tokenize('㘚叫').terms).toEqual(tokenize('㘎叫').terms);
  });

  it('leaves out grammar in either script', () => {
    expect(tokenize('這是貓嗎').unigrams).toEqual(['猫']);
  });

  it('finds a query of one character through unigrams', () => {
    expect(tokenize('猫')).toEqual({ terms: [], unigrams: ['猫'] });
  });

  it('separates Latin letters from the characters next to them', () => {
    expect(tokenize('iPhone手机，B站')).toEqual({ terms: ['iphon', '手机', 'b'], unigrams: ['手', '机', '站'] });
  });

  it('makes no bigram across punctuation, space or Latin letters', () => {
    expect(tokenize('火b土').terms).toEqual(['b']);
    expect(tokenize('山，水 火，土').terms).toEqual([]);
  });

  it('leaves out characters and bigrams that are only grammar', () => {
    expect(tokenize('我的猫')).toEqual({ terms: ['的猫'], unigrams: ['猫'] });
  });

  it('keeps them when nothing else is left', () => {
    expect(tokenize('我的')).toEqual({ terms: ['我的'], unigrams: ['我', '的'] });
  });

  it('reads characters beyond the basic plane as one character', () => {
    expect(tokenize('𠮷野家')).toEqual({ terms: ['𠮷野', '野家'], unigrams: ['𠮷', '野', '家'] });
  });

  it('reads kana, half-width kana and hangul', () => {
    expect(tokenize('コーヒー').terms).toEqual(['コー', 'ーヒ', 'ヒー']);
    expect(tokenize('ｶﾞﾗｽ').unigrams).toEqual(['ガ', 'ラ', 'ス']);
    expect(tokenize('한국어').terms).toEqual(['한국', '국어']);
  });

  it('passes over variation selectors within a word', () => {
    expect(tokenize('葛\u{e0100}城').terms).toEqual(['葛城']);
  });

  it('joins long stretches without losing a bigram', () => {
    expect(tokenize('山水'.repeat(1000)).terms).toHaveLength(1999);
  });

  it('lets every word of one or two characters in an indexed text share a token with it', () => {
    const character = fc.constantFrom(...'我的了是猫狗喜欢北京去年工作吗𠮷你好');
    const text = fc.array(fc.oneof({ weight: 9, arbitrary: character }, fc.constantFrom('，', 'a', ' ')), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(text, fc.nat(), (characters, seed) => {
        const indexed = tokenize(characters.join(''), { keepStopWords: true });
        const start = seed % characters.length;
        for (const word of [characters.slice(start, start + 1), characters.slice(start, start + 2)].map((w) =>
          w.join(''),
        )) {
          if (!/^\p{Script=Han}+$/u.test(word)) continue;
          const query = tokenize(word);
          const shared = [
            ...query.terms.filter((term) => indexed.terms.includes(term)),
            ...query.unigrams.filter((unigram) => indexed.unigrams.includes(unigram)),
          ];
          expect(shared).toEqual([...query.terms, ...query.unigrams]);
        }
      }),
    );
  });
});

describe('tokenize: an apostrophe that is a letter', () => {
  it('is no word by itself', () => {
    expect(tokenize('\u02bc', { keepStopWords: true })).toEqual({ terms: [], unigrams: [] });
    expect(tokenize('Hawai\u02bci').terms).toEqual(tokenize("Hawai'i").terms);
  });
});

describe('tokenize: any input', () => {
  it('gives tokens of lower-case ASCII letters, digits and letters of other scripts only', () => {
    fc.assert(
      fc.property(unicode, fc.boolean(), (text, keepStopWords) => {
        const { terms, unigrams } = tokenize(text, { keepStopWords });
        for (const token of [...terms, ...unigrams]) {
          expect(token).toMatch(/^(?:[a-z0-9]|(?=[^\0-\x7f])[\p{L}\p{N}\p{M}\p{Script=Han}])+$/u);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same tokens each time', () => {
    fc.assert(fc.property(unicode, (text) => expect(tokenize(text)).toEqual(tokenize(text))));
  });

  it('gives a query without stop words only tokens that the index of the same text holds', () => {
    fc.assert(
      fc.property(unicode, (text) => {
        const indexed = tokenize(text, { keepStopWords: true });
        const query = tokenize(text);
        expect(indexed.terms).toEqual(expect.arrayContaining([...query.terms]));
        expect(indexed.unigrams).toEqual(expect.arrayContaining([...query.unigrams]));
      }),
    );
  });

  it('resolves compatibility forms of ordinary text, and keeps those of a text that is nothing else', () => {
    const ordinary = `${'قال رسول الله \ufdfa '.repeat(200)}`;
    expect(tokenize(ordinary).terms).toContain('صلى');
    expect(tokenize('㌖').unigrams).toEqual([...'キロメートル']);
    expect(tokenize('\ufdfa'.repeat(10_000)).terms.join('')).toBe('\ufdfa'.repeat(10_000));
  });
});

describe('countTokens', () => {
  it('counts what tokenize gives, of any text', () => {
    const text = fc.oneof(
      unicode,
      fc.array(fc.constantFrom('the', 'tea', 'teas', '的', '喝茶', ' ', '。')).map((parts) => parts.join(' ')),
    );
    const countEach = (tokens: readonly string[]): Map<string, number> => {
      const counts = new Map<string, number>();
      for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
      return counts;
    };
    fc.assert(
      fc.property(text, fc.boolean(), (any, keepStopWords) => {
        const { terms, unigrams } = tokenize(any, { keepStopWords });
        const counts = countTokens(any, { keepStopWords });
        expect([counts.terms, counts.unigrams]).toEqual([countEach(terms), countEach(unigrams)]);
        expect([counts.termCount, counts.unigramCount]).toEqual([terms.length, unigrams.length]);
      }),
    );
  });
});
