import toLookAlike from 'unhomoglyph';

/** Small capitals, which Unicode's table of confusable characters leaves out for the most part. */
const SMALL_CAPITALS: Readonly<Record<string, string>> = {
  ᴀ: 'a',
  ʙ: 'b',
  ᴄ: 'c',
  ᴅ: 'd',
  ᴇ: 'e',
  ꜰ: 'f',
  ɢ: 'g',
  ʜ: 'h',
  ɪ: 'i',
  ᴊ: 'j',
  ᴋ: 'k',
  ʟ: 'l',
  ᴍ: 'm',
  ɴ: 'n',
  ᴏ: 'o',
  ᴘ: 'p',
  ǫ: 'q',
  ʀ: 'r',
  ꜱ: 's',
  ᴛ: 't',
  ᴜ: 'u',
  ᴠ: 'v',
  ᴡ: 'w',
  ʏ: 'y',
  ᴢ: 'z',
};
/** Where letters in circles, in squares, and those that flags are made of begin, each alphabet in its order. */
const BOXED = [0x1f150, 0x1f170, 0x1f1e6] as const;
const LETTERS = 26;
/** Characters of scripts whose strokes look like Latin letters to a table, but to no reader. */
const FOREIGN =
  /(?![\p{ASCII}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{N}\p{So}]/gu;

function toBoxed(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  const start = BOXED.find((first) => code >= first && code < first + LETTERS);
  return start === undefined ? undefined : String.fromCodePoint(0x61 + code - start);
}

function toLatinLetter(character: string): string {
  const letter = SMALL_CAPITALS[character] ?? toBoxed(character) ?? toLookAlike(character).toLowerCase();
  return /^[a-z]{1,2}$/u.test(letter) ? letter : character;
}

/**
 * A text with letters that look like Latin ones as Latin ones, without accents and strokes through letters.
 * @see https://www.unicode.org/reports/tr39/ the table of confusable characters, as the package unhomoglyph has it
 */
export function toLatin(text: string): string {
  const bare = text.normalize('NFD').replace(/\p{M}/gu, '');
  // The table is read once for each character there is, not for each time it stands there.
  const letters = new Map([...new Set(bare.match(FOREIGN))].map((character) => [character, toLatinLetter(character)]));
  return bare.replace(FOREIGN, (character) => letters.get(character) ?? character).normalize('NFC');
}

const DIGITS: Readonly<Record<string, string>> = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** A lower-case text with digits inside words as the letters that they stand for, as in `1gn0r3`. */
export function withoutDigitsInWords(text: string): string {
  return text.replace(/[a-z0-9@$!]+/gu, (word) =>
    /[a-z]/u.test(word) && /[0-9@$]/u.test(word)
      ? word.replace(/[0134579@$!]/gu, (sign) => DIGITS[sign] ?? sign)
      : word,
  );
}
