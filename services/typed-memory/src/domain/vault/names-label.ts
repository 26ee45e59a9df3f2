import { isStopCharacter, isStopWord, readQuestion, simplify, tokenize } from '@contextloom/retrieval';
import { isNeutralLabel } from './vault-label.ts';

/** Longer texts are no questions after a secret, in UTF-16 code units. */
const MAX_QUESTION = 1_000;
/** Scripts that write words without blanks between them. */
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+$/u;
/** Cuts Chinese and Japanese by its dictionary, and all else at blanks and marks. */
const segmenter = new Intl.Segmenter('zh', { granularity: 'word' });

/** One spelling for what is written alike; `bank’s` is `banks`, as the stop words are spelled. */
const toPlain = (text: string): string => simplify(text.normalize('NFKC').toLowerCase()).replace(/['’‘ʼ]/gu, '');

const hasContent = (word: string): boolean =>
  UNSPACED.test(word) ? ![...word].every(isStopCharacter) : !isStopWord(word);

/** The form that words of one stem share. */
const toTerm = (word: string): string =>
  UNSPACED.test(word) ? word : (tokenize(word, { keepStopWords: true }).terms[0] ?? word);

/** The words of a plain text that carry content. What the dictionary leaves in single characters is joined: 办公室 is 办公 and 室 to it. */
function findWords(text: string): readonly string[] {
  const words: { text: string; end: number }[] = [];
  for (const { segment, index, isWordLike } of segmenter.segment(text)) {
    if (isWordLike !== true || !hasContent(segment)) continue;
    const end = index + segment.length;
    const last = words.at(-1);
    const isTail = segment.length === 1 && UNSPACED.test(segment) && last?.end === index && UNSPACED.test(last.text);
    if (isTail) Object.assign(last, { text: last.text + segment, end });
    else words.push({ text: segment, end });
  }
  return words.map((word) => word.text);
}

/** Whether two neighbouring characters of a word stand in a text: a single one stands in many words. */
function sharesPair(word: string, text: string): boolean {
  const characters = [...word];
  return characters.some((character, at) => at > 0 && text.includes(`${characters[at - 1]}${character}`));
}

/**
 * Reads a question, and tells of labels whether it asks for what they stand on: a strict majority of its own words, each counted
 * once and without those that only ask, stand in the label. A label that tells nothing but the day of its item is asked for as a
 * whole.
 */
export function createLabelTest(question: string): (label: string) => boolean {
  if (question.length > MAX_QUESTION) return () => false;
  const plain = toPlain(question);
  const queryWords = [...new Set(findWords(toPlain(readQuestion(question).words)).map(toTerm))];
  return (label) => {
    const named = toPlain(label);
    if (isNeutralLabel(label)) return plain.includes(named);
    const terms = new Set(findWords(named).map(toTerm));
    const isNamed = (term: string): boolean => (UNSPACED.test(term) ? sharesPair(term, named) : terms.has(term));
    return queryWords.filter(isNamed).length * 2 > queryWords.length;
  };
}
