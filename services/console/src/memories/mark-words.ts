/** A stretch of a text, and whether a word of the question stands there. */
export interface Stretch {
  readonly text: string;
  readonly isMatch: boolean;
}

/** A word, or one Chinese character. `Intl.Segmenter` finds better words, in time that grows faster than the text. */
const WORD = /\p{Script=Han}|(?:(?!\p{Script=Han})[\p{L}\p{N}])+/gu;
const HAN = /^\p{Script=Han}$/u;

interface Word {
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

const toWords = (text: string): readonly Word[] =>
  [...text.matchAll(WORD)].map(({ 0: word, index }) => ({
    ...{ text: word.toLowerCase(), at: index, end: index + word.length },
  }));

const isHan = ({ text }: Word): boolean => HAN.test(text);

/** A Chinese character with the one that follows it at once. */
function toPair(word: Word | undefined, next: Word | undefined): string | undefined {
  if (word === undefined || next === undefined || word.end !== next.at) return undefined;
  return isHan(word) && isHan(next) ? word.text + next.text : undefined;
}

/** The words of more than one letter, and the pairs of Chinese characters; a character alone where it stands alone. */
function toTelling(query: string): ReadonlySet<string> {
  const words = toWords(query);
  const telling = words.flatMap((word, at) => {
    if (!isHan(word)) return word.text.length > 1 ? [word.text] : [];
    const pair = toPair(word, words[at + 1]);
    if (pair !== undefined) return [pair];
    return toPair(words[at - 1], word) === undefined ? [word.text] : [];
  });
  return new Set(telling);
}

/** Marks the words of a question in a text; linear in both lengths. */
export function markWords(text: string, query: string): readonly Stretch[] {
  const telling = toTelling(query);
  const words = toWords(text);
  const isTold = (term: string | undefined): boolean => term !== undefined && telling.has(term);
  const stretches: Stretch[] = [];
  let end = 0;
  words.forEach((word, at) => {
    const pairs = [toPair(words[at - 1], word), toPair(word, words[at + 1])];
    if (![word.text, ...pairs].some(isTold)) return;
    if (word.at > end) stretches.push({ text: text.slice(end, word.at), isMatch: false });
    end = word.end;
    stretches.push({ text: text.slice(word.at, end), isMatch: true });
  });
  return end < text.length ? [...stretches, { text: text.slice(end), isMatch: false }] : stretches;
}
