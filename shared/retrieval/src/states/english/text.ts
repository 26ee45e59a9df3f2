import { tokenize } from '../../text/words/tokenize.ts';
import { adverbs, everyNow, relation } from './grammar.ts';

const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/gu;

/** Writes contractions out, and leaves out what tells only how or since when. */
export function toPlain(sentence: string): string {
  return sentence
    .normalize('NFKC')
    .replaceAll('’', "'")
    .replace(/\bI'm\b/gu, 'I am')
    .replace(/'ve\b/gu, ' have')
    .replace(/'re\b/gu, ' are')
    .replace(/'ll\b/gu, ' will')
    .replace(/'d\b/gu, ' would')
    .replace(/(?:\b([Cc])an't|n't\b)/gu, (_, can?: string) => (can === undefined ? ' not' : `${can}an not`))
    .replace(
      /'s(?= (?:\p{Ll}+ly |just |now |finally )?(?:been|moved|left|quit|got|sold|swapped|switched|started|given|gone|joined|broken)\b)/gu,
      ' has',
    )
    .replace(/\b(it|he|she|that|It|He|She|That)'s\b/gu, '$1 is')
    .replace(adverbs, '')
    .replace(/ {2,}/gu, ' ')
    .trim();
}

/** The clauses of a sentence, without the words that only join them. */
export function toClauses(plain: string): readonly string[] {
  return plain
    .replace(/\b(\p{Lu}\p{L}+) and (I|me)\b/gu, '$1 & $2')
    .split(
      /(?:[,;:] |,? (?:and|but|so|because|since|though) )(?=(?:and |but |so )?(?:I|we|my|our|he|she|they|it|now|the|works?|drives?|is|am|moved|left|quit|started|\p{Lu}\p{L}+|[a-z]+ing|got|has|have) ?)| [–—] /u,
    )
    .map((clause) =>
      clause
        .replace(
          /^(?:(?:well|so|and|but|oh|also|anyway|then|hey|yes|ok|okay|now|last \w+|this \w+|in \d{4}),? )+/iu,
          '',
        )
        .trim(),
    )
    .filter((clause) => clause !== '');
}

/** Whom a clause is about; undefined where that is nobody whom it surely names. */
export function toSubject(named: string | undefined, before: string): string | undefined {
  const text = (named ?? '').trim();
  if (text === '') return before;
  if (/^(?:I|we|me)$/iu.test(text)) return 'me';
  if (/^(?:he|she|they|it)$/iu.test(text)) return before === 'me' ? undefined : before;
  const pair = /^(\p{Lu}\p{L}+) & (?:I|me)$/u.exec(text)?.[1];
  if (pair !== undefined) return `me & ${pair}`;
  const own =
    /^(?:my|our|My|Our) ((?:[\p{L}'-]+ ){0,3}[\p{L}'-]+)$/u.exec(text)?.[1] ?? (relation.test(text) ? text : undefined);
  if (own !== undefined) return own;
  return /^\p{Lu}[\p{L}'-]+$/u.test(text) ? text : undefined;
}

/** The last year that a sentence names. */
export const toYear = (sentence: string): number | undefined => {
  const years = [...sentence.matchAll(YEAR)].map(([year]) => Number(year));
  return years.length > 0 ? Math.max(...years) : undefined;
};

/** A value without what follows it. */
export const trimValue = (value: string | undefined): string | undefined =>
  value
    ?.replace(everyNow, '')
    .replace(/^the (?=\d)|[.!,:; ]+$/gu, '')
    .trim() || undefined;

const termsOf = (text: string): ReadonlySet<string> => new Set(tokenize(text, { keepStopWords: false }).terms);
/** Whether a text has all words of a thing. */
export const hasTerms = (text: string, thing: string): boolean => {
  const [own, wanted] = [termsOf(text), termsOf(thing)];
  return wanted.size > 0 && [...wanted].every((term) => own.has(term));
};

/** A value with numbers is another one where any of it differs. */
const NUMBER =
  /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand)\b/iu;

/** The thing itself of what is named: the wedding, of my sister's wedding. */
export const toNoun = (name: string): string => name.replace(/^(?:the|my|our) /iu, '');

/** Relation and name of somebody: brother, Tom. */
function toParts(subject: string): { readonly name: string; readonly relation: string } {
  const parts = subject.split(' ');
  const name = parts.filter((part) => /^\p{Lu}/u.test(part) && !relation.test(part)).join(' ');
  return {
    name,
    relation: parts
      .filter((part) => !name.split(' ').includes(part))
      .join(' ')
      .toLowerCase(),
  };
}

/** Whether two subjects are one: my brother Tom is Tom, and my brother; my brother Ned is neither. */
export function isSameSubject(a: string, b: string): boolean {
  if (a === b) return true;
  if (a === 'me' || b === 'me') return false;
  const [one, other] = [toParts(a), toParts(b)];
  if (one.name !== '' && other.name !== '') return one.name === other.name;
  return one.relation !== '' && one.relation === other.relation;
}

/** Whether two values are, or may be, one. */
export const isSameValue = (a: string, b: string): boolean =>
  NUMBER.test(`${a} ${b}`) ? hasTerms(a, b) && hasTerms(b, a) : hasTerms(a, b) || hasTerms(b, a);
