/** Pictographs go before compatibility forms are resolved, or the emoji ㊗ and ™ would leave the letters 祝 and TM behind. */
const pictograph = /\p{Extended_Pictographic}/gu;

/** Characters without a look of their own: soft hyphens, joiners, variation selectors. U+200B does end a word. */
const invisible = /(?!\u200B)[\p{Default_Ignorable_Code_Point}\p{Me}]/gu;

/**
 * Marks beyond the 30 that Unicode's stream-safe text format (UAX #15, section 13) allows on one letter; normalisation
 * sorts the marks of a letter in quadratic time.
 */
const excessMarks = /(\p{M}{30})\p{M}+/gu;

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
    ? text.replace(pictograph, ' ').replace(invisible, '').replace(excessMarks, '$1').normalize('NFKC')
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
