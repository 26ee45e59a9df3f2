import { chineseAttributes } from './chinese-attributes.ts';
import { englishAttributes } from './english-attributes.ts';

/** A value that a sentence gives to an attribute of the user. */
export interface FoundAttribute {
  /** The key in a profile, such as `city`. */
  readonly key: string;
  readonly value: string;
}

/** What is longer says more than one value. */
const MAX_SENTENCE = 300;
/** Other people's words, more than one sentence, a question or a doubt. */
const NOT_STATED = /["“”„«»「」『』\n?？;；()（）]|\.\s+\S|[!。！].|吗$|呢$|吧$/u;
const GREETING =
  /^(?:(?:hi|hello|hey|good (?:morning|evening|afternoon))(?: there)?[,!.] |(?:大家好|你们?好|您好|嗨)[,!。]\s?)/iu;
/** How a model tells of the user, and what the user would say. */
const thirdPerson: readonly (readonly [RegExp, string])[] = [
  [/^(?:the )?user's (?=\S)/iu, 'My '],
  [/^(?:the )?user is (?=\S)/iu, 'I am '],
  [/^(?:the )?user (?<adverb>now |currently )?(?<verb>live|work)s (?=\S)/iu, 'I $<adverb>$<verb> '],
  [/^(?:the )?user (?=(?:has )?moved to )/iu, 'I '],
  [/^用户叫做?/u, '我的名字叫'],
  [/^用户/u, '我'],
];
const ABBREVIATION = /\b(?:St|Mt|Ft|Dr|Mr|Mrs|Ms|Jr|Sr|\p{Lu})\.\s/gu;
const attributes = [...englishAttributes, ...chineseAttributes];

/** Capitals say what is a name only where others are small. */
const hasPlainCase = (opening: string): boolean => !/(?<!^)(?<!\bI|\bI')\p{Lu}(?!'| )/u.test(opening);

/**
 * The one attribute that a sentence of or about the user, English or Chinese, gives a value to: what surely is one by how it is written
 * and by what follows it. A time or place behind it is left out. Undefined where the value may be none ("I live in fear"), and for
 * questions, quotes and several clauses. Takes time linear in the text, of which more than 300 characters are not read.
 */
export function findAttribute(text: string): FoundAttribute | undefined {
  if (text.length > MAX_SENTENCE) return undefined;
  const said = text
    .normalize('NFKC')
    .replaceAll('’', "'")
    .trim()
    .replace(GREETING, '')
    .replace(/(?:\s*[.。!！])+$/u, '');
  if (NOT_STATED.test(said.replace(ABBREVIATION, 'X '))) return undefined;
  const [form, firstPerson] = thirdPerson.find(([pattern]) => pattern.test(said)) ?? [];
  const sentence = form === undefined ? said : said.replace(form, firstPerson ?? '');
  for (const { key, opening, read } of attributes) {
    const begins = opening.exec(sentence)?.[0];
    if (begins === undefined || !hasPlainCase(begins)) continue;
    const found = read(sentence.slice(begins.length).trim());
    if (found !== undefined) return { key, ...found };
  }
  return undefined;
}
