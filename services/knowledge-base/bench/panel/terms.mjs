// The terms of the plain baselines: stems of words without stop words, and the pairs of Chinese characters.

const stopWords = new Set(
  `a about after all also am an and any are as at be been but by can could did do does for from had has have he her him
  his how i if in into is it its just me my no not of on or our she should so some than that the their them then there
  these they this those to up was we were what when where which who why will with would you your`.split(/\s+/),
);
const suffixes = /(?:ies|ied|ing|edly|ed|es|ly|s|e|y)$/;
const piece = /(\p{Script=Han}+)|[\p{L}\p{N}]+/gu;

/** Cuts a word's ending, as long as three letters stay. */
function stem(word) {
  const bare = word.replace(suffixes, '');
  return bare.length < 3 ? word : bare.replace(/([^aeiouls])\1$/, '$1');
}

const toPairs = (run) => {
  const glyphs = [...run];
  return glyphs.length === 1 ? glyphs : glyphs.slice(1).map((glyph, at) => glyphs[at] + glyph);
};

/** The words that someone would look for with grep: no stop words, no stemming; Chinese in pairs, for want of spaces. */
export function toPatterns(query) {
  const found = [...query.toLowerCase().matchAll(piece)].flatMap(([word, run]) => {
    if (run !== undefined) return toPairs(run);
    return stopWords.has(word) || (word.length === 1 && !/\d/.test(word)) ? [] : [word];
  });
  return [...new Set(found)];
}

/** The terms of a text, in their order; of Chinese, pairs of characters unless a baseline takes others. */
export function toTerms(text, ofChinese = toPairs) {
  const lower = text.toLowerCase().replace(/['’](?:s|d|m|ll|re|ve|t)\b/g, '');
  return [...lower.matchAll(piece)].flatMap(([word, run]) => {
    if (run !== undefined) return ofChinese(run);
    return stopWords.has(word) ? [] : [stem(word)];
  });
}
