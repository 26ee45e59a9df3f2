import { cjkCharacter } from './chinese/cjk-character.ts';

/** A run of sentence ends with its closing quotes and the space after it, or a run of white space. */
const candidate = /([.!?。！？｡…]+)["'”’」』）》】)\]]*(\s*)|\s+/gu;

const cjkEnd = /[。！？｡…]/u;
const cjkStart = new RegExp(`^${cjkCharacter}`, 'u');

/** What stands before a full stop that ends no sentence: titles, initials and the commonest short forms. */
const abbreviation = /(?:^|[\s("“])(?:[Mm]rs?|[Mm]s|[Dd]r|[Pp]rof|[Ss]t|vs|[Ee]\.g|[Ii]\.e|[A-HJ-Z])$/u;
const longestAbbreviation = 8;

/** The sentences of {@link splitSentences} one by one, for texts of megabytes. */
export function* eachSentence(text: string): Generator<string> {
  let start = 0;
  for (const match of text.matchAll(candidate)) {
    const end = match.index + match[0].length;
    const isBlank = match[1] === undefined && match.index === start;
    if (isBlank || !isBorder(text, match, end)) continue;
    yield text.slice(start, end);
    start = end;
  }
  if (start < text.length) yield text.slice(start);
}

/**
 * Cuts English and Chinese text after each sentence and each line; the parts, put together, are the text exactly. White
 * space after a sentence belongs to it.
 */
export function splitSentences(text: string): readonly string[] {
  return [...eachSentence(text)];
}

function isBorder(text: string, match: RegExpExecArray, end: number): boolean {
  const [matched, marks, space] = match;
  if (/[\n\r\u2028\u2029]/.test(matched)) return true;
  if (marks === undefined) return false;
  if (cjkEnd.test(marks)) return true;
  if (space === '') return marks !== '.' && cjkStart.test(text.slice(end, end + 2));
  return marks !== '.' || !abbreviation.test(text.slice(Math.max(0, match.index - longestAbbreviation), match.index));
}
