const chineseDigits = '零一二三四五六七八九';
const englishNumbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** A pattern for a Chinese or Arabic number up to 99. */
export const chineseNumeral = '[一二两三四五六七八九十]{1,3}|\\d{1,2}';

/** Reads a Chinese or Arabic number up to 99: `十五`, `15`; NaN for any other text. */
export function fromChineseNumeral(text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  const parts = /^(?<tens>[一二三四五六七八九]?)(?<ten>十?)(?<ones>[一二两三四五六七八九]?)$/u.exec(text)?.groups;
  if (parts === undefined || text === '') return Number.NaN;
  const { tens = '', ten = '', ones = '' } = parts;
  const digit = (character: string): number => chineseDigits.indexOf(character.replace('两', '二'));
  if (ten === '') return tens === '' || ones === '' ? digit(tens + ones) : Number.NaN;
  return 10 * (tens === '' ? 1 : digit(tens)) + (ones === '' ? 0 : digit(ones));
}

/** A pattern for the words that English counts by. */
export const englishNumeral = `\\d{1,4}|an?|${englishNumbers.slice(1).join('|')}`;

/** Reads an English number word or digits: `a` and `one` are 1; NaN for any other text. */
export function fromEnglishNumeral(text: string): number {
  const word = text.toLowerCase();
  if (/^\d+$/.test(word)) return Number(word);
  if (/^an?$/.test(word)) return 1;
  return englishNumbers.includes(word) ? englishNumbers.indexOf(word) : Number.NaN;
}
