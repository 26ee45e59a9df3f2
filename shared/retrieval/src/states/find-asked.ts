import { chinese } from './chinese/chinese.ts';
import * as chineseWords from './chinese/words.ts';
import { english } from './english/english.ts';
import * as englishWords from './english/words.ts';

/** The attributes that an attribute of questions stands for. */
const statedAs: Readonly<Record<string, readonly string[]>> = {
  home: ['home'],
  work: ['job', 'employer', 'work'],
  partner: ['partner'],
};
const HAN = /\p{Script=Han}/u;
/** Longer texts are not questions. */
const LONGEST = 300;

const compileEnglish = (list: string): RegExp => new RegExp(`(?<![\\p{L}'])(?:${list})(?![\\p{L}])`, 'iu');
const questions = {
  english: Object.entries(englishWords.questions).map(([key, list]) => [key, compileEnglish(list)] as const),
  chinese: Object.entries(chineseWords.questions).map(([key, list]) => [key, new RegExp(list, 'u')] as const),
};
const others = {
  english: compileEnglish(`${englishWords.relations}|you|your`),
  chinese: new RegExp(`${chineseWords.relations}|[你您他她]`, 'u'),
};
const own = { english: compileEnglish('i|me|my|we|our'), chinese: /[我咱]/u };

/** Tells texts that state what the question is about. */
export type StatesAsked = (text: string) => boolean;

/**
 * Finds which one of their own attributes somebody asks about, where they live, what they do or whom they are with, and answers what tells
 * texts that state it; undefined for all other questions, and for those about others.
 */
export function findAsked(question: string): StatesAsked | undefined {
  if (question.length > LONGEST) return undefined;
  const language = HAN.test(question) ? 'chinese' : 'english';
  if (!own[language].test(question)) return undefined;
  const found = questions[language].filter(([, pattern]) => pattern.test(question));
  const [first] = found;
  if (first === undefined || found.length > 1) return undefined;
  const [key, pattern] = first;
  // A partner is somebody else as well, and the one in question where that is asked.
  const rest = key === 'partner' ? question.replace(new RegExp(pattern.source, `${pattern.flags}g`), ' ') : question;
  if (others[language].test(rest)) return undefined;
  const attributes = statedAs[key] ?? [];
  return (text) =>
    (HAN.test(text) ? chinese : english)
      .read(text)
      .some(({ statements }) =>
        statements.some(({ subject, attribute }) => subject === 'me' && attributes.includes(attribute ?? '')),
      );
}
