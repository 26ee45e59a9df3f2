import type { WindowTurn } from '../window-turns.ts';
import { type Clause, countShared, isInScope, isMeantBy, splitClauses, toClauses } from './clauses.ts';
import type { Doubt } from './doubt.ts';
import { FIRST, findPerson, findSubject, type StanceSource } from './person.ts';
import * as words from './stance-words.ts';
import { toFactUnits, toSaidUnits } from './support.ts';

const HAN = /\p{Script=Han}/u;
/** The share of the fact's words that were said, and of all its words, that a clause must have to speak for the fact alone. */
const ALONE_SHARE = 0.6;
const ALONE_OF_ALL = 0.4;

const withoutIdioms = (text: string): string => text.replace(words.NO_DENIAL, ' ');
const denies = (text: string): boolean => words.DENIAL.test(withoutIdioms(text));

const isQuotedIn = (sentence: string, terms: ReadonlySet<string>): boolean => {
  const quoted = [...sentence.matchAll(/["“「]([^"”」]{6,300})["”」]/gu)].map(([, inner]) => inner ?? '').join(' ');
  const shared = countShared(quoted, terms);
  const told = toSaidUnits(quoted);
  const numbers = [...terms].filter((term) => term.startsWith('#'));
  // A number that the quotation does not have was said outside of it.
  if (numbers.length > 0 && !numbers.some((number) => told.has(number))) return false;
  return quoted !== '' && shared * 2 > countShared(sentence, terms);
};

/** Whether what a clause says is taken back after it, or meant the other way round. */
function isInJest({ turn, sentence, text }: Clause, after: readonly WindowTurn[]): boolean {
  if (words.IRONY.test(sentence)) return true;
  const rest = turn.text.slice(turn.text.indexOf(text) + text.length, turn.text.indexOf(text) + text.length + 80);
  const next = after.find(({ speaker }) => speaker === turn.speaker)?.text.slice(0, 16) ?? '';
  return words.TAKEN_BACK.test(rest.trim() === '' ? next : rest);
}

/** Doubts about how the words were said: each is a rule of thumb that a second reader may overrule. */
function findManner(
  content: string,
  clause: Clause,
  source: StanceSource,
  terms: ReadonlySet<string>,
): Doubt | undefined {
  const { sentence, text } = clause;
  if (isInJest(clause, source.after) && !/jok|kidding|玩笑/iu.test(content))
    return { reason: 'said in jest', isRefused: true };
  const isHedged = words.HEDGE.test(content);
  // What a fact shares with less than half of itself may be what the condition or the plan rests on.
  const isMost = clause.shared * 2 > terms.size;
  const isConditional = words.CONDITION.test(text) || (words.CONDITION.test(sentence) && words.CONSEQUENCE.test(text));
  if (isConditional && !isHedged && !denies(content))
    return { reason: 'said under a condition', isRefused: clause.shared * 2 >= terms.size };
  const openIn = words.OPEN.test(text) || FIRST.test(text) ? text : sentence;
  if (isMeantBy(openIn, words.OPEN, terms) && !isHedged) return { reason: 'left open', isRefused: isMost };
  const isPlanned = isMeantBy(text, words.PLAN, terms) && !/\b(?:wanted to|had|have|has|'ve)\b|了|过|已/iu.test(text);
  if (isPlanned && !isHedged) return { reason: 'planned, not done', isRefused: isMost };
  if (words.REPORT.test(sentence) && isQuotedIn(sentence, terms)) return { reason: 'quoted', isRefused: true };
  const isAsked = /[?？]\s*$/u.test(sentence) || /[吗呢]\s*[。！]?$/u.test(sentence);
  return isAsked ? { reason: 'only asked', isRefused: false } : undefined;
}

/** Whether a turn says no to a question before it that has more of the fact's words than the turn itself. */
function saysNo(clause: Clause, source: StanceSource, terms: ReadonlySet<string>): boolean {
  const asked = source.before.at(-1)?.text ?? '';
  if (!/[?？吗]\s*$/u.test(asked)) return false;
  const [reply = ''] = clause.turn.text.split(/[.!?。！？]/u);
  const isNo = /^\s*(?:no\b|nope|nah|not\b|never\b|不(?![错过少久])|没有?|还没)/iu.test(reply);
  if (!isNo && !(HAN.test(reply) && denies(reply))) return false;
  return countShared(asked, terms) > clause.shared;
}

/** Whether a fact tells of a denial in words of its own, which were not themselves denied. */
function tellsInOtherWords(content: string, text: string): boolean {
  const word = words.DENIED_IN_OTHER_WORDS.exec(content)?.[0];
  return word !== undefined && !text.toLowerCase().includes(word.toLowerCase());
}

/** Whether a text denies what it shares with a fact: something of it stands after the denial, or nothing before it. */
function isDeniedIn(text: string, terms: ReadonlySet<string>): boolean {
  const plain = withoutIdioms(text);
  const at = plain.search(words.DENIAL);
  if (at < 0) return false;
  const [before, after] = [countShared(plain.slice(0, at), terms), countShared(plain.slice(at), terms)];
  return before === 0 || after > (HAN.test(text) ? 0 : before);
}

/** Doubts about whether the words say it, or say the contrary. */
function findContrary(
  content: string,
  clause: Clause,
  isAnswer: boolean,
  terms: ReadonlySet<string>,
): Doubt | undefined {
  const { text, sentence } = clause;
  const [isLiked, isDisliked] = [words.LIKES.test(content), words.DISLIKES.test(content)];
  const plain = withoutIdioms(clause.shared === 0 ? clause.turn.text : sentence);
  if (isLiked !== isDisliked && words.LIKES.test(plain) !== words.DISLIKES.test(plain)) {
    if (isDisliked !== words.DISLIKES.test(plain)) return { reason: 'the contrary was said', isRefused: true };
  }
  const tellsDenial = denies(content) || tellsInOtherWords(content, text);
  const parts = splitClauses(sentence).filter((part) => countShared(part, terms) >= clause.shared);
  const isDenied = isDeniedIn(text, terms) || parts.some((part) => isDeniedIn(part, terms) && !FIRST.test(part));
  if (isDenied && !tellsDenial) return { reason: 'denied', isRefused: true };
  const ceasedIn = clause.shared === 0 && isAnswer ? clause.turn.text : text;
  if (isInScope(ceasedIn, words.CEASED, terms) && !tellsDenial && !words.CEASED.test(content))
    return { reason: 'so no more', isRefused: clause.shared === 0 || clause.shared * 2 >= terms.size };
  const toldNo = words.DENIAL.test(clause.turn.text) || words.CONDITION.test(clause.turn.text);
  if (denies(content) && !toldNo && !words.DENIED_IN_OTHER_WORDS.test(clause.turn.text)) {
    return { reason: 'denied, though nobody did', isRefused: true };
  }
  return undefined;
}

/** Whether a fact says what one clause says, as far as what was said has its words. */
function isAlone(best: Clause, clauses: readonly Clause[], terms: ReadonlySet<string>): boolean {
  const said = new Set(clauses.flatMap(({ text }) => [...toSaidUnits(text)]));
  const shared = [...terms].filter((term) => said.has(term)).length;
  return best.shared >= ALONE_SHARE * shared && best.shared >= ALONE_OF_ALL * terms.size;
}

/** Most units of a fact of which one that was only denied speaks against all of it. */
const SHORT = 5;

/** Whether something of a short fact was said only where it was denied. */
function isOnlyDenied(clauses: readonly Clause[], terms: ReadonlySet<string>): boolean {
  const [affirmed, denied] = [new Set<string>(), new Set<string>()];
  for (const { text } of clauses) {
    const plain = withoutIdioms(text);
    const at = plain.search(words.DENIAL);
    for (const unit of toSaidUnits(at < 0 ? plain : plain.slice(0, at))) affirmed.add(unit);
    if (at >= 0) for (const unit of toSaidUnits(plain.slice(at))) denied.add(unit);
  }
  return terms.size <= SHORT && [...terms].some((term) => denied.has(term) && !affirmed.has(term));
}

/** What speaks against a fact besides its words; undefined when nothing does. */
export function findDoubt(content: string, source: StanceSource): Doubt | undefined {
  if (words.INJECTED.test(content))
    return { reason: 'quarantined: it speaks for somebody who wants something of the assistant', isRefused: true };
  const subject = findSubject(content, source.speakers, source.all);
  const terms = toFactUnits(subject === undefined ? content : content.replace(subject.name, ' '));
  const clauses = source.evidence
    .filter(({ voice }) => voice !== 'assistant')
    .flatMap((turn) => toClauses(turn, terms));
  const best = clauses.reduce<Clause | undefined>(
    (top, one) => (top === undefined || one.shared >= top.shared ? one : top),
    undefined,
  );
  if (best === undefined) return undefined;
  if (saysNo(best, source, terms) && !denies(content)) return { reason: 'denied', isRefused: true };
  if (isOnlyDenied(clauses, terms) && !denies(content) && !words.DENIED_IN_OTHER_WORDS.test(content))
    return { reason: 'denied', isRefused: true };
  const person = findPerson(content, best, source);
  if (person?.isRefused === true) return person;
  const isAnswer = /[?？吗]\s*$/u.test(source.before.at(-1)?.text ?? '');
  const manner = findContrary(content, best, isAnswer, terms) ?? findManner(content, best, source, terms);
  if (manner === undefined) return person;
  // A fact that was put together of several clauses is not denied or supposed by one of them.
  const isRefused = manner.isRefused && (best.shared === 0 || isAlone(best, clauses, terms));
  return isRefused || person === undefined ? { ...manner, isRefused } : person;
}
