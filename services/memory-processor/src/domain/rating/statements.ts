import { ratingWords, type StatementKind } from '@contextloom/languages/rating';
import { createLexicon, isSmallTalk, type Lexicon, type StatementPattern, toMatchable } from './lexicon.ts';
import { anchor } from './scale.ts';

/** The languages that are rated, the first that a sentence has letters of; a sentence of no known one is read as the last. */
export const lexicons: readonly Lexicon[] = ratingWords.map(createLexicon);

/** What a sentence comes to: its strongest statement. */
export interface Rated {
  readonly kind: StatementKind | undefined;
  readonly importance: number;
}

const joints = ratingWords.map(({ spaced, joints: words }) => (spaced ? `\\s(?:${words})\\s` : words));
const CLAUSE_END = new RegExp(['[,;:，；：]', ...joints].join('|'), 'u');
/** UTF-16 units of a clause that are read at once, since each statement in it looks back for its subject. */
const LONGEST_CLAUSE = /[\s\S]{1,400}/gu;
const QUESTION_MARK = /[?？]\s*$/u;

/** The lexicon for a text. */
export function toLexicon(text: string): Lexicon {
  const found = lexicons.find(({ data }) => data.script.test(text)) ?? lexicons.at(-1);
  if (found === undefined) throw new RangeError('no language has words');
  return found;
}

/** Who a statement is about, by the last person named before it. */
type Subject = 'self' | 'listener' | 'other' | 'nobody';

function lastSubject(text: string, lexicon: Lexicon, names: RegExp | undefined): Subject {
  const last = [...text.matchAll(lexicon.people)].at(-1);
  const named = names === undefined ? undefined : [...text.matchAll(names)].at(-1);
  if (named !== undefined && named.index > (last?.index ?? -1)) return 'other';
  if (last === undefined) return 'nobody';
  if (matchesWhole(last[0], lexicon.listener)) return 'listener';
  const isOwn = matchesWhole(last[0], lexicon.self) || !matchesWhole(last[0], lexicon.others);
  return isOwn ? 'self' : 'other';
}

function matchesWhole(text: string, pattern: RegExp): boolean {
  return text.match(pattern)?.[0] === text;
}

/** A clause, with what its sentence says of it. */
interface Clause {
  readonly text: string;
  /** Who the clause before was about. */
  readonly subject: Subject;
  readonly isSupposed: boolean;
  readonly isJoke: boolean;
  readonly isDated: boolean;
}

function weigh(words: StatementPattern, clause: Clause, before: string, subject: Subject, lexicon: Lexicon): number {
  const full = Math.min(anchor.life, words.importance + (words.datable && clause.isDated ? 1 : 0));
  const weaker = Math.max(anchor.passing, full - 3);
  if (clause.isJoke) return Math.min(anchor.feeling, weaker);
  const isGrave = words.kind === 'safety' || words.kind === 'health';
  if (clause.isSupposed && !isGrave) return Math.min(anchor.feeling, weaker);
  const felt = lexicon.negatedEnd.test(before) ? (words.negated ?? weaker) : full;
  return subject === 'other' ? Math.max(anchor.passing, felt - 2) : felt;
}

function rateClause(clause: Clause, lexicon: Lexicon, names: RegExp | undefined): Rated {
  let best: Rated = { kind: undefined, importance: anchor.question };
  for (const words of lexicon.statements) {
    for (const { index, 0: hit } of clause.text.matchAll(words.pattern)) {
      const before = clause.text.slice(0, index);
      const nearest = lastSubject(before, lexicon, names);
      const within = nearest === 'nobody' ? lastSubject(hit, lexicon, undefined) : nearest;
      const subject = within === 'nobody' ? clause.subject : within;
      if (subject === 'listener' || (subject === 'nobody' && words.own)) continue;
      const importance = weigh(words, clause, before, subject, lexicon);
      if (importance > best.importance) best = { kind: words.kind, importance };
    }
  }
  return best;
}

/**
 * Rates a sentence by its strongest statement; without one it is small talk, a question, or a remark.
 * @param speakers others who may be what a sentence is about
 */
export function rateSentence(sentence: string, speakers: readonly string[] = []): Rated {
  const text = toMatchable(sentence.trim());
  const lexicon = toLexicon(text);
  if (isSmallTalk(text, lexicon)) return { kind: undefined, importance: anchor.greeting };
  const names = toNames(speakers);
  const parts = text
    .split(CLAUSE_END)
    .flatMap((part) => (part.trim() === '' ? [] : (part.match(LONGEST_CLAUSE) ?? [])));
  const isAsked = QUESTION_MARK.test(text);
  const isDated = text.search(lexicon.times) !== -1;
  const isJoke = lexicon.jokes.test(text);
  let best: Rated = { kind: undefined, importance: anchor.question };
  let subject: Subject = 'nobody';
  let isSupposed = false;
  for (const [index, part] of parts.entries()) {
    isSupposed ||= part.search(lexicon.suppositions) !== -1;
    if (isAsked && index === parts.length - 1) break;
    const rated = rateClause({ text: part.trim(), subject, isSupposed, isJoke, isDated }, lexicon, names);
    if (rated.importance > best.importance) best = rated;
    const last = lastSubject(part, lexicon, names);
    // A clause without a subject goes on about the one before; after the listener it is mostly a wish (`don't call me`).
    if (last !== 'nobody') subject = last === 'listener' ? 'nobody' : last;
    const isRemark = last === 'other' || part.search(lexicon.self) !== -1;
    if (isRemark && best.importance < anchor.passing) best = { kind: undefined, importance: anchor.passing };
  }
  return best;
}

function toNames(speakers: readonly string[]): RegExp | undefined {
  const names = speakers.filter((name) => name !== '').map((name) => name.replace(/[^\p{L}\p{N}\s]/gu, '.'));
  return names.length === 0 ? undefined : new RegExp(`(?<![\\p{L}\\p{N}])(?:${names.join('|')})`, 'gu');
}

/** The statement that a bare yes makes of the question before it: `Are you allergic to nuts?` – `Yes.` */
export function toAnswered(question: string, answer: string): string | undefined {
  const { yes, openQuestions, data } = toLexicon(question);
  const matter = data.asksListener.exec(question.trim())?.[1];
  if (matter === undefined || !yes.test(toMatchable(answer)) || openQuestions.test(question)) return undefined;
  return data.toAnswer(matter);
}
