import { LANGUAGES } from '@contextloom/contracts';
import { inEachLanguage, wordsOf } from '@contextloom/languages';

type WordList = Exclude<keyof ReturnType<typeof wordsOf>['project'], 'session' | 'tags'>;

/** The words of all languages: those of a language with blanks are matched whole. */
function toSource(list: WordList): string {
  return LANGUAGES.map((language) => wordsOf(language).project[list])
    .filter((words) => words !== '')
    .map((words) => (/^[\u0020-\u007e]*$/u.test(words) ? `\\b(?:${words})\\b` : `(?:${words})`))
    .join('|');
}

const anywhere = (list: WordList): RegExp => new RegExp(toSource(list), 'iu');
const atStart = (list: WordList): RegExp => new RegExp(`^(?:${toSource(list)})`, 'iu');

/** Every place of the words of a list, for `replaceAll` and `matchAll`. */
const everywhere = (list: WordList): RegExp => new RegExp(toSource(list), 'giu');

/** What sentences about a project are known by, in every language at once: a sentence may have words of two. */
export const projectPatterns = {
  rules: anywhere('rules'),
  strictRules: anywhere('strictRules'),
  commands: atStart('commands'),
  polarity: everywhere('polarity'),
  bounds: anywhere('bounds'),
  decisions: anywhere('decisions'),
  uses: atStart('uses'),
  causes: anywhere('causes'),
  tests: anywhere('tests'),
  openEnds: anywhere('openEnds'),
  openEndsEverywhere: everywhere('openEnds'),
  closed: anywhere('closed'),
  closedEverywhere: everywhere('closed'),
  replaced: everywhere('replaced'),
  replacedEnds: anywhere('replacedEnds'),
  replacedBefore: everywhere('replacedBefore'),
  generic: everywhere('generic'),
  changes: anywhere('changes'),
  withdrawn: anywhere('withdrawn'),
  withdrawnEverywhere: everywhere('withdrawn'),
  reasons: anywhere('reasons'),
  startsReason: atStart('reasons'),
  joints: atStart('joints'),
} as const;

/** What the outcome of a session is written down with, in each language. */
export const sessionMarks = inEachLanguage(({ project }) => project.session);

/** The part of a statement that says what holds: its reason may name anything. */
export function withoutReason(text: string): string {
  const at = text.search(projectPatterns.reasons);
  return at > 0 ? text.slice(0, at) : text;
}
