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
    text: word.toLowerCase(),
    at: index,
    end: index + word.length,
  }));

const isHan = ({ text }: Word): boolean => HAN.test(text);

/** A Chinese character with the one that follows it at once. */
function toPair(word: Word | undefined, next: Word | undefined): string | undefined {
  if (word === undefined || next === undefined || word.end !== next.at) return undefined;
  return isHan(word) && isHan(next) ? word.text + next.text : undefined;
}

/** Words that any text has: marked, they would show nothing of why it was found. */
const COMMON = new Set(
  `a about after again all also am an and any are as at be because been before being but by can could d did do does doing don for from
  had has have having he her here him his how i if in into is it its ll m me more most my no nor not of off on once only or other
  our out over own re s same she should so some such t than that the their them then there these they this those through to too
  under until up ve very was we were what when where which while who whom why will with would you your`.split(/\s+/),
);
const COMMON_HAN = new Set('的了着吗呢吧啊呀嘛啦哦嗯么是在我你您他她它们这那也就都和与很有什哪谁怎');

/** The words of more than one letter, and the pairs of Chinese characters; a character alone where it stands alone. */
function toTerms(query: string, isCommon: (word: string) => boolean): ReadonlySet<string> {
  const words = toWords(query);
  const terms = words.flatMap((word, at) => {
    if (!isHan(word)) return word.text.length > 1 ? [word.text] : [];
    const pair = toPair(word, words[at + 1]);
    if (pair !== undefined) return [pair];
    return toPair(words[at - 1], word) === undefined ? [word.text] : [];
  });
  return new Set(terms.filter((term) => !isCommon(term)));
}

const isCommonWord = (term: string): boolean =>
  COMMON.has(term) || [...term].every((character) => COMMON_HAN.has(character));

/** The words of a question that tell something; all of them where none does. */
function toTelling(query: string): ReadonlySet<string> {
  const telling = toTerms(query, isCommonWord);
  return telling.size > 0 ? telling : toTerms(query, () => false);
}

/** Whether a question has words that tell something. */
export const hasTellingWords = (query: string): boolean => toTerms(query, isCommonWord).size > 0;

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

/** How far before its first match a passage begins, in UTF-16 code units. */
const LEAD = 60;
/** How much of a text is looked through for a passage, in UTF-16 code units. */
const MOST_READ = 20_000;

/**
 * The part of a text that a search is about, of so many characters: from shortly before the place where most different words of the
 * question stand. From the beginning where the text is short or nothing matches.
 */
export function toPassage(text: string, query: string, length: number): string {
  if (text.length <= length) return text;
  const read = text.slice(0, MOST_READ);
  const places: { word: string; at: number }[] = [];
  let at = 0;
  for (const { text: part, isMatch } of markWords(read, query)) {
    if (isMatch) places.push({ word: part.toLowerCase(), at });
    at += part.length;
  }
  const inside = new Map<string, number>();
  let best = { at: 0, words: 0 };
  let first = 0;
  for (const place of places) {
    inside.set(place.word, (inside.get(place.word) ?? 0) + 1);
    for (let left = places[first]; left !== undefined && place.at - left.at > length - 2 * LEAD; left = places[first]) {
      const count = (inside.get(left.word) ?? 0) - 1;
      if (count > 0) inside.set(left.word, count);
      else inside.delete(left.word);
      first += 1;
    }
    if (inside.size > best.words) best = { at: places[first]?.at ?? 0, words: inside.size };
  }
  if (best.at <= LEAD) return text.slice(0, length);
  // Not in the middle of a word, where one ends soon.
  const start = best.at - LEAD + Math.max(0, read.slice(best.at - LEAD, best.at).search(/[\s\p{P}]/u));
  return `…${text.slice(start, start + length).trimStart()}`;
}
