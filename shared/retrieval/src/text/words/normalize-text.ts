/** Pictographs go before compatibility forms are resolved, or the emoji ㊗ and ™ would leave the letters 祝 and TM behind. */
const pictograph = /\p{Extended_Pictographic}/gu;

/** Characters without a look of their own: soft hyphens, joiners, variation selectors. U+200B does end a word. */
const invisible = /(?!\u200B)[\p{Default_Ignorable_Code_Point}\p{Me}]/gu;

/**
 * Marks beyond the 30 that Unicode's stream-safe text format (UAX #15, section 13) allows on one letter; normalisation
 * sorts the marks of a letter in quadratic time. The halfwidth voicing marks are letters that it turns into marks.
 */
const excessMarks = /([\p{M}\uFF9E\uFF9F]{30})[\p{M}\uFF9E\uFF9F]+/gu;

/**
 * Compatibility forms may be 18 times as long as the character (U+FDFA). Text that they make longer than twice its length,
 * beyond what a short text may grow, is no natural text, and keeps its characters.
 */
const maxGrowth = { factor: 2, characters: 1_000 } as const;

function resolveCompatibilityForms(text: string): string {
  const resolved = text.normalize('NFKC');
  return resolved.length <= maxGrowth.factor * text.length + maxGrowth.characters ? resolved : text.normalize('NFC');
}

const digitGroupComma = /(?<=\p{Nd}),(?=\p{Nd}{3}(?!\p{Nd}))/gu;

const nonAscii = /[^\0-\x7f]/;

/** Letters that look like a Latin letter with a mark but have no canonical decomposition. */
const undecomposed: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
};
const undecomposedLetter = /[ßæœøłđðþħı]/g;

/** One spelling for equal text: NFKC, lower case, without emoji, invisible characters and digit-group commas. */
export function normalizeText(text: string): string {
  const plain = nonAscii.test(text)
    ? resolveCompatibilityForms(text.replace(pictograph, ' ').replace(invisible, '').replace(excessMarks, '$1'))
    : text;
  return plain.toLowerCase().replace(digitGroupComma, '');
}

/** A lower-case Latin word without its diacritics: `café` → `cafe`, `straße` → `strasse`. */
export function foldDiacritics(word: string): string {
  if (!nonAscii.test(word)) return word;
  return word
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(undecomposedLetter, (letter) => undecomposed[letter] ?? letter);
}
