import type { WindowTurn } from '../../windows/window-turns.ts';
import type { Doubt } from '../doubt.ts';
import { toFactUnits, toSaidUnits } from '../support.ts';
import { type Clause, countShared, isInScope, isMeantBy, splitClauses, toClauses } from './clauses.ts';
import { tellsOpposite } from './opposites.ts';
import { FIRST, findPerson, findSubject, OWN, type StanceSource } from './person.ts';
import * as words from './stance-words.ts';

const HAN = /\p{Script=Han}/u;
const AHEAD = /明[天早晚年]|后天|下(?:个?(?:周|月|星期|礼拜)|半年)|过几天/u;
const NOW = /\b(?:now|currently)\b|现在|目前|如今/iu;
/** Words by which a fact holds one thing against another, which a denial may have been about. */
const COMPARES = /\b(?:than|rather|instead|prefers?|preferred)\b|比|不如|而不是|更|胜过/iu;
/** Words by which a fact tells that something was and may be no more. */
const TELLS_PAST = new RegExp(`${words.CEASED.source}|\\b(?:was|were|until|been)\\b|直到|[曾原]|过`, 'iu');
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

/** What is said within so many characters of how a turn opens goes with it. */
const MAX_OPENING = 20;

/** A clause with what follows it in the turn, up to a bound. */
const sentenceAfter = ({ turn, text }: Clause): string => {
  const at = turn.text.indexOf(text);
  return turn.text.slice(at, at + text.length + 80);
};

/** Whether what a clause says is taken back after it, or meant the other way round. */
function isInJest(clause: Clause, after: readonly WindowTurn[], terms: ReadonlySet<string>): boolean {
  const { turn, sentence, text } = clause;
  const isOpening = turn.text.slice(0, turn.text.indexOf(sentence)).trim().length <= MAX_OPENING;
  if (words.IRONY.test(sentence) || (isOpening && words.IRONIC_OPENING.test(turn.text))) return true;
  // What somebody is kidding about is that alone.
  const about = /\b(?:kidding|joking) about ([^.!?]{3,80})/iu.exec(turn.text)?.[1];
  if (about !== undefined) return countShared(about, terms) > 0;
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
  if (isInJest(clause, source.after, terms) && !/jok|kidding|玩笑/iu.test(content))
    return { reason: 'said in jest', isRefused: true };
  // What is wished for is not under way.
  const isWished = /\b(?:would|['’]d) (?:like|love)\b|\bwish|(?:['’]ll|\bwill|\b(?:mean|meant|meaning) to) /iu.test(
    text,
  );
  const isHedged = words.HEDGE.test(isWished ? content.replace(/\b(?:is|are) \w+ing\b/iu, ' ') : content);
  // What a fact shares with less than half of itself may be what the condition or the plan rests on.
  const isMost = clause.shared * 2 >= terms.size;
  const isConditional =
    words.CONDITION.test(HAN.test(text) && FIRST.test(text) ? clause.upTo.slice(-2).join('') : text) ||
    (words.CONDITION.test(sentence) && words.CONSEQUENCE.test(text));
  if (isConditional && !isHedged && !denies(content))
    return { reason: 'said under a condition', isRefused: clause.shared * 2 >= terms.size };
  const openIn = words.OPEN.test(text) || OWN.test(text) ? text : sentence;
  if (answersMaybe(clause, source, terms) && !isHedged) return { reason: 'left open', isRefused: true };
  if (isMeantBy(openIn, words.OPEN, terms) && !isHedged) return { reason: 'left open', isRefused: isMost };
  const tellsEnd = denies(content) || words.CEASED.test(content);
  if (tellsEnd && (words.CEASED.test(sentence) || denies(sentence))) return undefined;
  const isPlanned =
    isMeantBy(text, words.PLAN, terms) &&
    !/\b(?:wanted to|had|have|has|'ve)\b(?! been (?:mean|hop|want|plan))|\band (?:got|went|was|were|did)\b|了|过|已/iu.test(
      text,
    );
  // Done already, where it is still to come.
  const isAhead =
    HAN.test(content) &&
    words.DONE.test(content) &&
    (AHEAD.test(sentence) || words.TO_COME.test(text)) &&
    !/[了过已]/u.test(sentence);
  if (isAhead) return { reason: 'planned, not done', isRefused: true };
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
  const isTurnedDown = words.SAID_NO.test(clause.turn.text);
  if (!isNo && !isTurnedDown && !(HAN.test(reply) && denies(reply))) return false;
  // The question may ask for one thing alone: "Do you have a dog?" – "No, two cats."
  const told = toSaidUnits(clause.turn.text);
  const isOnlyAsked = [...toSaidUnits(asked)]
    .filter((unit) => !unit.startsWith('#'))
    .every((unit) => terms.has(unit) && !told.has(unit));
  return countShared(asked, terms) > clause.shared || (isNo && isOnlyAsked && countShared(asked, terms) > 0);
}

/** Whether a turn leaves the question before it open, which has more of the fact's words than the turn itself. */
function answersMaybe(clause: Clause, source: StanceSource, terms: ReadonlySet<string>): boolean {
  const asked = source.before.at(-1)?.text ?? '';
  return /[?？吗]\s*$/u.test(asked) && words.MAYBE.test(clause.turn.text) && countShared(asked, terms) > clause.shared;
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

/** Whether a text tells of a liking, and of a dislike. */
const toLiking = (text: string): readonly [boolean, boolean] => [
  words.LIKES.test(text.replace(words.NEGATED_LIKE, ' ')),
  words.DISLIKES.test(text) || words.NEGATED_LIKE.test(text),
];

/** Where it is looked for that something is so no more: in the clause, after `used to`, and in Chinese in what came of it. */
function toEnding({ text, sentence, upTo, shared, turn }: Clause, isAnswer: boolean): string {
  if (shared === 0 && isAnswer) return turn.text;
  const onward = sentence.slice(sentence.indexOf(text));
  if (HAN.test(text)) return /后来|後來|结果|但|可惜|最后/u.test(onward) ? onward : text;
  const before = upTo.join(' ');
  return /\bused to\b/iu.test(before) && !/\bnow\b/iu.test(before) ? before : text;
}

/** What a clause is read with. */
interface ContraryOptions {
  readonly isAnswer: boolean;
  readonly terms: ReadonlySet<string>;
  readonly source: StanceSource;
}

/** Doubts about whether the words say it, or say the contrary. */
function findContrary(
  content: string,
  clause: Clause,
  { isAnswer, terms, source }: ContraryOptions,
): Doubt | undefined {
  const { text, sentence } = clause;
  if (tellsOpposite(content, sentence, source)) return { reason: 'the contrary was said', isRefused: true };
  const [isLiked, isDisliked] = toLiking(content);
  const plain = withoutIdioms(clause.shared === 0 ? clause.turn.text : sentence);
  const [saysLiked, saysDisliked] = toLiking(plain);
  if (isLiked !== isDisliked && saysLiked !== saysDisliked) {
    if (isDisliked !== saysDisliked) return { reason: 'the contrary was said', isRefused: true };
  }
  const tellsDenial = denies(content) || tellsInOtherWords(content, text);
  const parts = splitClauses(sentence).filter((part) => countShared(part, terms) >= clause.shared);
  const isDenied = isDeniedIn(text, terms) || parts.some((part) => isDeniedIn(part, terms) && !FIRST.test(part));
  if (isDenied && !tellsDenial) return { reason: 'denied', isRefused: true };
  const isNow = NOW.test(content) && NOW.test(sentence);
  const heeds = /told|advi[sc]e|recommend|warn|让|叫|建议|劝|要求/iu.test(content);
  if (words.NOT_HEEDED.test(sentenceAfter(clause)) && !heeds) return { reason: 'denied', isRefused: true };
  if (!isNow && isInScope(toEnding(clause, isAnswer), words.CEASED, terms) && !tellsDenial && !TELLS_PAST.test(content))
    return { reason: 'so no more', isRefused: (clause.shared === 0 && isAnswer) || clause.shared * 2 >= terms.size };
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
  // Chinese clauses are short: the sentence speaks.
  const own = HAN.test(best.text) ? countShared(best.sentence, terms) : best.shared;
  return own >= ALONE_SHARE * shared && own >= ALONE_OF_ALL * terms.size;
}

/** Most units of a fact of which one that was only denied speaks against all of it. */
const SHORT = 5;

/** Whether something of a short fact was said only where it was denied. */
function isOnlyDenied(clauses: readonly Clause[], terms: ReadonlySet<string>, asked: string): boolean {
  // What is asked is affirmed by an answer that does not deny it.
  const [affirmed, denied] = [new Set<string>(/[?？吗]\s*$/u.test(asked) ? toSaidUnits(asked) : []), new Set<string>()];
  for (const { text } of clauses) {
    const plain = withoutIdioms(text);
    const at = plain.search(words.DENIAL);
    for (const unit of toSaidUnits(at < 0 ? plain : plain.slice(0, at))) affirmed.add(unit);
    if (at >= 0) for (const unit of toSaidUnits(plain.slice(at))) denied.add(unit);
  }
  const only = [...terms].filter((term) => denied.has(term) && !affirmed.has(term)).length;
  const told = [...terms].filter((term) => affirmed.has(term)).length;
  const isPlain = terms.size <= ([...terms].some((term) => HAN.test(term)) ? SHORT : 3);
  return terms.size <= SHORT && only > 0 && (only >= told || isPlain);
}

/** Most units of a fact that its verb speaks for. */
const MAX_NEGATED = { words: 5, han: 12 } as const;

/** Whether a verb of the fact was said after a negation and nowhere else. */
function hasNegatedVerb(clauses: readonly Clause[], terms: ReadonlySet<string>): boolean {
  const negated = clauses.flatMap(({ text }) =>
    [...withoutIdioms(text).matchAll(words.NEGATED_VERB)].map(([shown, ...verbs]) => ({
      shown,
      units: [...toSaidUnits(verbs.find((verb) => verb !== undefined) ?? '')],
    })),
  );
  const rest = negated.reduce(
    (text, { shown }) => text.replace(shown, ' '),
    clauses.map(({ text }) => withoutIdioms(text)).join(' '),
  );
  const affirmed = toSaidUnits(rest);
  const isShort = terms.size <= ([...terms].some((term) => HAN.test(term)) ? MAX_NEGATED.han : MAX_NEGATED.words);
  return (
    isShort &&
    negated.some(
      ({ units }) =>
        units.length > 0 && units.every((unit) => terms.has(unit)) && !units.some((unit) => affirmed.has(unit)),
    )
  );
}

/** Whether a clause says all that a fact denies, and denies nothing. */
function isAffirmed(content: string, clauses: readonly Clause[], terms: ReadonlySet<string>): boolean {
  const own = [...terms].filter((term) => !/[不没别未]/u.test(term));
  if (!denies(content) || own.length < 2) return false;
  const isPlain = (text: string): boolean =>
    !denies(text) && !words.CONDITION.test(text) && !words.DENIED_IN_OTHER_WORDS.test(text) && !/[?？]\s*$/u.test(text);
  return clauses.some(({ text }) => isPlain(text) && countShared(text, new Set(own)) === own.length);
}

/** What speaks against a fact besides its words; undefined when nothing does. */
export function findDoubt(content: string, source: StanceSource): Doubt | undefined {
  if (words.INJECTED.test(content))
    return { reason: 'quarantined: it speaks for somebody who wants something of the assistant', isRefused: true };
  const subject = findSubject(content, source.speakers, source.all);
  const terms = toFactUnits(subject === undefined ? content : content.replace(subject.name, ' '));
  // A year of birth has no words of its own: it is judged as a number.
  if (terms.size === 0) return undefined;
  const clauses = source.evidence
    .filter(({ voice }) => voice !== 'assistant')
    .flatMap((turn) => toClauses(turn, terms));
  const best = clauses.reduce<Clause | undefined>(
    (top, one) => (top === undefined || one.shared >= top.shared ? one : top),
    undefined,
  );
  if (best === undefined) return undefined;
  const tellsDenial = denies(content) || words.DENIED_IN_OTHER_WORDS.test(content);
  const tellsRefusal = tellsDenial && words.SAID_NO.test(best.turn.text);
  if (saysNo(best, source, terms) && !denies(content) && !tellsRefusal && !COMPARES.test(content))
    return { reason: 'denied', isRefused: true };
  if (
    !tellsDenial &&
    (hasNegatedVerb(clauses, terms) || isOnlyDenied(clauses, terms, source.before.at(-1)?.text ?? ''))
  )
    return { reason: 'denied', isRefused: true };
  if (isAffirmed(content, clauses, terms)) return { reason: 'denied, though nobody did', isRefused: true };
  const person = findPerson(content, best, source);
  if (person?.isRefused === true) return person;
  const isAnswer = /[?？吗]\s*$/u.test(source.before.at(-1)?.text ?? '');
  const manner = findContrary(content, best, { isAnswer, terms, source }) ?? findManner(content, best, source, terms);
  if (manner === undefined) return person;
  // A fact that was put together of several clauses is not denied or supposed by one of them.
  const isRefused = manner.isRefused && (best.shared === 0 || isAlone(best, clauses, terms));
  return isRefused || person === undefined ? { ...manner, isRefused } : person;
}
