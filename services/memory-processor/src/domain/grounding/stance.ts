import { splitSentences } from '@contextloom/retrieval';
import type { WindowTurn } from '../window-turns.ts';
import * as words from './stance-words.ts';
import { toUnits } from './support.ts';

/** The share of the fact's words that were said, and of all its words, that a clause must have to speak for the fact alone. */
const ALONE_SHARE = 0.6;
const ALONE_OF_ALL = 0.4;

/** What may be wrong with a fact whose words were said: they were denied, asked, supposed, quoted, or said of somebody else. */
export interface Doubt {
  readonly reason: string;
  /** Whether rules refuse the fact when nobody can be asked. */
  readonly isRefused: boolean;
}

/** The clause of a turn that says most of a fact, in its sentence. */
interface Clause {
  readonly turn: WindowTurn;
  readonly sentence: string;
  readonly text: string;
  /** Clauses of the sentence up to it, itself included. */
  readonly upTo: readonly string[];
  readonly shared: number;
}

const CLAUSES =
  /(?<=[,;:，；：、—])\s*|\s+(?=(?:but|though|although|because|while|whereas|and (?:i|we|he|she|they|still|now|then|so|my))\b)|(?=但是?|可是|不过|因为|虽然)/iu;

function toClauses(turn: WindowTurn, terms: ReadonlySet<string>): readonly Clause[] {
  return splitSentences(turn.text).flatMap((sentence) => {
    const parts = sentence.split(CLAUSES).filter((part) => part.trim() !== '');
    return parts.map((text, at) => {
      const shared = [...toUnits(text)].filter((term) => terms.has(term)).length;
      return { turn, sentence, text, upTo: parts.slice(0, at + 1), shared };
    });
  });
}

const withoutIdioms = (text: string): string => text.replace(words.NO_DENIAL, ' ');
const denies = (text: string): boolean => words.DENIAL.test(withoutIdioms(text));

const FIRST =
  /\b(?:i|we)\b(?:'|’)?|我(?![妈爸哥姐弟妹爷奶儿女老家表堂外舅姑叔姨婆公岳邻]|们?的|男|女|朋友|同事|室友|同学|先生|太太|对象|闺蜜)|我们(?![家的老公领])|咱们?/iu;
/** Words by which somebody speaks of themselves. */
const OWN = /\b(?:i|my|me|mine|we|our|us)\b|我|咱|俺/iu;
const KIN =
  /\b(?:my|our|his|her|their|a) (?:\w+ )?(?:mother|mom|mum|father|dad|sister|brother|son|daughter|wife|husband|partner|girlfriend|boyfriend|aunt|uncle|cousin|niece|nephew|grandma|grandmother|grandpa|grandfather|friend|roommate|colleague|coworker|boss|neighbou?r|teacher|doctor|manager|fiancée?|kids?|children|parents|team|ex)\b|我?(?:妈妈?|爸爸?|哥哥?|姐姐?|弟弟?|妹妹?|爷爷|奶奶|外公|外婆|姥姥|姥爷|儿子|女儿|老公|老婆|男朋友|女朋友|男友|女友|朋友|同事|室友|邻居|老板|领导|同学|闺蜜|表[哥姐弟妹]|堂[哥姐弟妹]|舅舅|姑姑|叔叔|阿姨)/iu;
const THIRD = /^(?:\W*(?:and|so|then|well|yeah|but)\s+)?(?:he|she)\b|^\W*[他她]/iu;

/** Whether the clause is said of somebody else than who says it, as far as its subject and those before it tell. */
function findOther({ upTo }: Clause): string | undefined {
  let other: string | undefined;
  for (const part of upTo) {
    const [first, kin, third] = [part.search(FIRST), part.search(KIN), part.search(THIRD)];
    if (first >= 0 && (kin < 0 || first < kin)) other = undefined;
    else if (kin >= 0 || third >= 0) other = KIN.exec(part)?.[0] ?? other ?? 'somebody else';
  }
  return other;
}

/** What a fact is judged by besides its words. */
export interface StanceSource {
  readonly evidence: readonly WindowTurn[];
  /** What was said right before the evidence. */
  readonly before: readonly WindowTurn[];
  /** What was said right after the evidence. */
  readonly after: readonly WindowTurn[];
  readonly speakers: readonly string[];
}

/** The speaker whom a fact is about: whose name it begins with. */
export function findSubject(content: string, speakers: readonly string[]): string | undefined {
  const start = content.slice(0, 60).toLowerCase();
  const named = speakers
    .map((name) => ({ name, at: start.indexOf(name.toLowerCase()) }))
    .filter(({ at, name }) => at >= 0 && name !== '');
  return named.sort((a, b) => a.at - b.at || b.name.length - a.name.length).find(({ at }) => at <= 20)?.name;
}

const isQuotedIn = (sentence: string, terms: ReadonlySet<string>): boolean => {
  const quoted = [...sentence.matchAll(/["“「]([^"”」]{6,300})["”」]/gu)].map(([, inner]) => inner ?? '').join(' ');
  const shared = (text: string): number => [...toUnits(text)].filter((term) => terms.has(term)).length;
  return quoted !== '' && shared(quoted) * 2 > shared(sentence);
};

/** Whether what a clause says is taken back after it, or meant the other way round. */
function isInJest({ turn, sentence, text }: Clause, after: readonly WindowTurn[]): boolean {
  if (words.IRONY.test(sentence)) return true;
  const rest = turn.text.slice(turn.text.indexOf(text) + text.length, turn.text.indexOf(text) + text.length + 80);
  const next = after.find(({ speaker }) => speaker === turn.speaker)?.text.slice(0, 40) ?? '';
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
  if (words.CONDITION.test(sentence) && !isHedged)
    return { reason: 'said under a condition', isRefused: clause.shared * 2 >= terms.size };
  if (words.OPEN.test(sentence) && !isHedged) return { reason: 'left open', isRefused: isMost };
  const isPlanned = words.PLAN.test(text) && !/\b(?:wanted to|had|have|has|'ve)\b|了|过|已/iu.test(text);
  if (isPlanned && !isHedged) return { reason: 'planned, not done', isRefused: isMost };
  if (words.REPORT.test(sentence) && isQuotedIn(sentence, terms)) return { reason: 'quoted', isRefused: true };
  const isAsked = /[?？]\s*$/u.test(sentence) || /[吗呢]\s*[。！]?$/u.test(sentence);
  return isAsked ? { reason: 'only asked', isRefused: false } : undefined;
}

const countShared = (text: string, terms: ReadonlySet<string>): number =>
  [...toUnits(text)].filter((unit) => terms.has(unit)).length;

/** Whether a turn says no to a question before it that has more of the fact's words than the turn itself. */
function saysNo(clause: Clause, source: StanceSource, terms: ReadonlySet<string>): boolean {
  const asked = source.before.at(-1)?.text ?? '';
  if (
    !/[?？吗]\s*$/u.test(asked) ||
    !/^\s*(?:no\b|nope|nah|not really|never\b|不(?![错过少久])|没有?|还没)/iu.test(clause.turn.text)
  )
    return false;
  return [...toUnits(asked)].filter((unit) => terms.has(unit)).length > clause.shared;
}

/** Doubts about whether the words say it, or say the contrary. */
function findContrary(
  content: string,
  clause: Clause,
  source: StanceSource,
  terms: ReadonlySet<string>,
): Doubt | undefined {
  const { text, sentence } = clause;
  const [isLiked, isDisliked] = [words.LIKES.test(content), words.DISLIKES.test(content)];
  const plain = withoutIdioms(clause.shared === 0 ? clause.turn.text : sentence);
  if (isLiked !== isDisliked && words.LIKES.test(plain) !== words.DISLIKES.test(plain)) {
    if (isDisliked !== words.DISLIKES.test(plain)) return { reason: 'the contrary was said', isRefused: true };
  }
  const tellsDenial = denies(content) || words.DENIED_IN_OTHER_WORDS.test(content);
  const parts = sentence.split(CLAUSES).filter((part) => countShared(part, terms) >= clause.shared);
  const isDenied = denies(text) || parts.some((part) => denies(part) && !FIRST.test(part));
  if ((isDenied || saysNo(clause, source, terms)) && !tellsDenial) return { reason: 'denied', isRefused: true };
  if (words.CEASED.test(text) && !tellsDenial && !words.CEASED.test(content))
    return { reason: 'so no more', isRefused: clause.shared * 2 >= terms.size };
  if (denies(content) && !denies(clause.turn.text) && !words.DENIED_IN_OTHER_WORDS.test(clause.turn.text)) {
    return { reason: 'denied, though nobody did', isRefused: true };
  }
  return undefined;
}

/** Doubts about whom the words are about. */
function findPerson(content: string, clause: Clause, source: StanceSource): Doubt | undefined {
  const subject = findSubject(content, source.speakers);
  if (subject === undefined) return undefined;
  const { turn, sentence } = clause;
  const isOwn = turn.speaker === subject;
  if (!isOwn && !source.evidence.some(({ speaker }) => speaker === subject)) {
    const isAddressed =
      /\b(?:you|your|yours)\b|[你您]/iu.test(sentence) || sentence.toLowerCase().includes(subject.toLowerCase());
    return { reason: `said by ${turn.speaker}`, isRefused: !isAddressed && OWN.test(sentence) };
  }
  const other = isOwn ? findOther(clause) : undefined;
  if (other === undefined) return undefined;
  const tells = KIN.test(content.slice(subject.length)) || /'s\b|’s\b|的/u.test(content.slice(0, subject.length + 12));
  return tells ? undefined : { reason: `said of ${other.trim()}`, isRefused: true };
}

/** Whether a fact says what one clause says, as far as what was said has its words. */
function isAlone(best: Clause, clauses: readonly Clause[], terms: ReadonlySet<string>): boolean {
  const said = new Set(clauses.flatMap(({ text }) => [...toUnits(text)]));
  const shared = [...terms].filter((term) => said.has(term)).length;
  return best.shared >= ALONE_SHARE * shared && best.shared >= ALONE_OF_ALL * terms.size;
}

/** What speaks against a fact besides its words; undefined when nothing does. */
export function findDoubt(content: string, source: StanceSource): Doubt | undefined {
  if (words.INJECTED.test(content))
    return { reason: 'quarantined: it speaks for somebody who wants something of the assistant', isRefused: true };
  const subject = findSubject(content, source.speakers);
  const terms = toUnits(subject === undefined ? content : content.replace(subject, ' '));
  const clauses = source.evidence
    .filter(({ voice }) => voice !== 'assistant')
    .flatMap((turn) => toClauses(turn, terms));
  const best = clauses.reduce<Clause | undefined>(
    (top, one) => (top === undefined || one.shared > top.shared ? one : top),
    undefined,
  );
  if (best === undefined) return undefined;
  const doubt =
    findPerson(content, best, source) ??
    findContrary(content, best, source, terms) ??
    findManner(content, best, source, terms);
  // A fact that was put together of several clauses is not denied or supposed by one of them.
  return doubt === undefined
    ? undefined
    : { ...doubt, isRefused: doubt.isRefused && (best.shared === 0 || isAlone(best, clauses, terms)) };
}
