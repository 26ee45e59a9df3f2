import { cjkCharacter } from './chinese/cjk-character.ts';
import { simplifyCharacter } from './chinese/simplify.ts';
import { normalizeText } from './words/normalize-text.ts';
import { type Tokens, tokenize } from './words/tokenize.ts';

/** A token of a query and where it stands in a text, in UTF-16 code units: `from` is its first, `to` follows its last. */
export interface TokenMatch {
  readonly token: string;
  readonly from: number;
  readonly to: number;
}

/** Characters that the tokeniser drops, so that a word goes on behind them; U+200B does end a word. */
const silent = String.raw`[[\p{Default_Ignorable_Code_Point}\p{M}]--\u200B]`;
const letter = String.raw`[[\p{L}\p{N}\p{M}\p{Default_Ignorable_Code_Point}]--[${cjkCharacter}\u200B]]`;
const groupComma = String.raw`(?<=\p{Nd}),(?=\p{Nd}{3}(?!\p{Nd}))`;

/** A CJK character with its marks, or a word, in text that is not normalised: positions in it are wanted. */
const piece = new RegExp(
  `(${cjkCharacter}${silent}{0,64})|(?!${silent})${letter}(?:${letter}|['’‘ʼ](?=\\p{L})|${groupComma}){0,255}`,
  'gv',
);

/** The bulk of Chinese, which normalising leaves as it is. */
const isPlain = /^[\u4E00-\u9FFF]$/;

interface Unit {
  readonly character: string;
  readonly from: number;
  readonly to: number;
}

/** Makes the function that gives the tokens of a word among those asked for; words repeat. */
function createWordLookup(terms: ReadonlySet<string>): (word: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (word) => {
    const tokens = known.get(word) ?? tokenize(word, { keepStopWords: true }).terms.filter((term) => terms.has(term));
    known.set(word, tokens);
    return tokens;
  };
}

/** A character inside a pair that matched is no match of its own: 过 adds nothing where 过敏 is. */
function withoutCovered(matches: readonly TokenMatch[], { terms, unigrams }: Tokens): readonly TokenMatch[] {
  const [wanted, single] = [new Set(terms), new Set(unigrams)];
  const covered = new Set(matches.filter(({ token }) => wanted.has(token)).flatMap(({ token }) => [...token]));
  return matches.filter(({ token }) => !(single.has(token) && covered.has(token)));
}

/**
 * Finds where the tokens of a query stand in a text, in the order of the text; matches of neighbouring CJK characters
 * overlap. Only the first `limit` characters are looked at (default 100,000, which take a tenth of a second).
 */
export function findMatches(
  text: string,
  query: Tokens,
  { limit = 100_000 }: { readonly limit?: number } = {},
): readonly TokenMatch[] {
  const terms = new Set(query.terms);
  const unigrams = new Set(query.unigrams);
  const lookUp = createWordLookup(terms);
  const matches: TokenMatch[] = [];
  let previous: Unit | undefined;
  for (const match of text.slice(0, limit).matchAll(piece)) {
    const [matched, unit] = match;
    const [from, to] = [match.index, match.index + matched.length];
    if (unit === undefined) {
      for (const token of lookUp(matched)) matches.push({ token, from, to });
      continue;
    }
    const character = simplifyCharacter(isPlain.test(unit) ? unit : normalizeText(unit));
    if (previous?.to === from && terms.has(previous.character + character)) {
      matches.push({ token: previous.character + character, from: previous.from, to });
    }
    if (unigrams.has(character)) matches.push({ token: character, from, to });
    previous = { character, from, to };
  }
  return withoutCovered(matches, query);
}
