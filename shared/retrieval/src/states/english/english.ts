import { readGoal } from '../../attributes/english-values.ts';
import { isOccupation } from '../../attributes/occupations.ts';
import { splitSentences } from '../../text/split-sentences.ts';
import type { StatedSentence, StateLanguage, Statement } from '../statement.ts';
import {
  afterAll,
  changes,
  cues,
  dismissing,
  everyNow,
  gone,
  holding,
  isDoubtful,
  leaving,
  NAMELESS,
  notAfterAll,
  notThat,
  nowWords,
  PARTNER_NAME,
  passing,
  possessive,
  renewal,
  renewed,
  reports,
  SOMEONE,
  singleThing,
  states,
  thereIs,
  turns,
  turnsOf,
} from './grammar.ts';
import {
  hasTerms,
  isSameSubject,
  isSameValue,
  toClauses,
  toNoun,
  toPlain,
  toSubject,
  toYear,
  trimValue,
} from './text.ts';

/** What is longer is no plain statement. */
const MAX_SENTENCE = 300;

/** How a clause is read: whom the one before it was about, whether it tells of a state, and whether of one that is new. */
interface Given {
  readonly before: string;
  readonly isChange: boolean;
  readonly isState: boolean;
}

function toStatement(attribute: string, match: RegExpExecArray, given: Given): readonly Statement[] {
  const { subject: named, now2, now = now2, over, job } = match.groups ?? {};
  const subject = toSubject(named, given.before);
  if (subject === undefined) return [];
  if (job !== undefined && !isOccupation((job.split(' ').at(-1) ?? '').toLowerCase())) return [];
  if (
    attribute === 'home' &&
    now !== undefined &&
    /^\p{Lu}/u.test(now) &&
    readGoal(now.split(/ (?=in |last )/u)[0] ?? '') === undefined
  )
    return [];
  if (over !== undefined && passing.test(`${over}${match.input.slice(match.index + match[0].length)}`)) return [];
  const [who, pair] = subject.split(' & ');
  if (pair !== undefined && attribute !== 'partner') return [];
  if (attribute === 'partner' && given.isState && now === undefined && pair === undefined) return [];
  const isNameless = attribute === 'partner' && NAMELESS.test(over ?? '');
  const isOfAnything = attribute === 'any' || attribute === 'thing';
  return [
    {
      subject: who ?? subject,
      attribute: isOfAnything ? undefined : attribute,
      now: trimValue(now ?? job ?? (given.isState ? pair : undefined)),
      over: isNameless ? undefined : trimValue(over ?? (given.isState ? undefined : pair)),
      isChange: given.isChange,
    },
  ];
}

function readChanges(clause: string, before: string): readonly Statement[] {
  if (isDoubtful(clause)) return [];
  const found = changes.flatMap(({ attribute, pattern }) => {
    const match = pattern.exec(clause);
    return match === null ? [] : toStatement(attribute, match, { before, isChange: true, isState: false });
  });
  const turned = turns.flatMap((pattern) => {
    const { subject: of, now, over } = pattern.exec(clause)?.groups ?? {};
    return of === undefined
      ? []
      : [{ subject: 'me', attribute: 'turn', of, now: trimValue(now), over, isChange: true }];
  });
  const { of, now } = turnsOf.exec(clause)?.groups ?? {};
  const moved = of === undefined ? [] : [{ subject: 'me', attribute: 'turn', of, now: trimValue(now), isChange: true }];
  const again = renewal.exec(clause)?.groups?.['of'];
  const renewedThing = again === undefined ? [] : [{ subject: 'me', attribute: 'turn', of: again, isChange: true }];
  const away = (dismissing.exec(clause) ?? gone.exec(clause))?.groups?.['over'];
  const lost = away === undefined || / and I$/u.test(away) ? [] : [{ subject: 'me', over: away, isChange: true }];
  return [...found, ...turned, ...moved, ...renewedThing, ...lost, ...readLeaving(clause)];
}

/** Who left whoever speaks. */
function readLeaving(clause: string): readonly Statement[] {
  const who = leaving.exec(clause)?.groups?.['who'];
  if (who === undefined) return [];
  return [{ subject: 'me', attribute: 'partner', over: NAMELESS.test(who) ? undefined : who, isChange: true }];
}

function readStates(clause: string, before: string, isOfNow: boolean): readonly Statement[] {
  if (isDoubtful(clause)) return [];
  const found = states.flatMap(({ attribute, pattern }) => {
    const match = pattern.exec(clause);
    if (match === null) return [];
    // Where somebody lives is stated again by whoever says `I`; `lives in Leeds` alone may be of any time.
    const isHome = attribute === 'home' && match.groups?.['subject'] !== undefined;
    return toStatement(attribute, match, {
      before,
      isChange: isOfNow || isHome || attribute === 'partner',
      isState: true,
    });
  });
  const held = holding.exec(clause)?.groups?.['subject'];
  const holder = held === undefined ? undefined : toSubject(held, before);
  const dated = thereIs.exec(clause)?.groups;
  return [
    ...found,
    ...(holder === undefined ? [] : [{ subject: holder.split(' & ')[0] ?? 'me', isChange: false }]),
    ...(dated === undefined
      ? []
      : [{ subject: 'me', attribute: 'turn', of: dated['of'], now: dated['now'], isChange: false }]),
  ];
}

/** What is mine and has one value. */
function readPossessions(clause: string, isOfNow: boolean): readonly Statement[] {
  if (isDoubtful(clause)) return [];
  const own = possessive.exec(clause)?.groups ?? renewed.exec(clause)?.groups;
  if (own === undefined) return [];
  const key = (own['key'] ?? '').toLowerCase();
  const name = key.replace(/^new /u, '');
  const isPartner = /^(?:girlfriend|boyfriend|partner|wife|husband|fiancée?)$/u.test(name);
  const isChange = isOfNow || key.startsWith('new ') || renewed.test(clause) || singleThing.test(name);
  const of = isPartner ? {} : { of: name };
  return [
    { subject: 'me', attribute: isPartner ? 'partner' : `my ${name}`, ...of, now: trimValue(own['now']), isChange },
  ];
}

function readSentence(sentence: string): StatedSentence {
  const none = { text: sentence, statements: [] };
  if (sentence.length > MAX_SENTENCE || /[?"“”]/u.test(sentence)) return none;
  const plain = toPlain(sentence.replace(/[.!]+\s*$/u, ''));
  if (reports.test(plain)) return none;
  const year = toYear(plain);
  let before = 'me';
  const clauses = toClauses(plain);
  const statements = clauses.flatMap((clause) => {
    const isOfNow = nowWords.test(clause);
    const bare = clause
      .replace(everyNow, '')
      .replace(/ {2,}/gu, ' ')
      .replace(/ (?=[,.]|$)/gu, '')
      .trim();
    // `Settled in Cardiff at last`: who speaks leaves themselves out.
    const open = /^\p{Lu}\p{Ll}+(?:ed|t|d) /u.test(bare) ? `${bare.charAt(0).toLowerCase()}${bare.slice(1)}` : bare;
    const found = [
      ...readChanges(open, before),
      ...readStates(open, before, isOfNow),
      ...readPossessions(open, isOfNow),
    ];
    const subject = found.find((one) => one.of === undefined)?.subject;
    if (subject !== undefined) before = subject;
    return found;
  });
  if (afterAll.test(plain)) {
    const over = clauses
      .map(
        (clause) => notAfterAll.exec(clause.replace(/^(?:it )?turn(?:s|ed) out(?: that)?,? /iu, ''))?.groups?.['over'],
      )
      .find((one) => one !== undefined);
    if (over !== undefined) statements.push({ subject: 'me', over, isChange: true });
  }
  const { now, over } = notThat.exec(plain)?.groups ?? {};
  const first = clauses[0]?.split(/ (?:is|has|was|are) /u)[0];
  const corrected =
    over === undefined || first === undefined || /^(?:I|it|we)$/iu.test(first)
      ? []
      : [{ subject: 'me', of: toNoun(first), now: trimValue(now), over, isChange: true }];
  return {
    text: sentence,
    statements: [...statements, ...corrected].map((one) => ({ ...one, ...(year !== undefined && { year }) })),
  };
}

/** `I have met somebody. Her name is Mara`: who a new partner is, where the next words tell it. */
function withNames(sentences: readonly StatedSentence[], text: string): readonly StatedSentence[] {
  const name = PARTNER_NAME.exec(text)?.groups?.['name'];
  const toNamed = (one: Statement): Statement =>
    one.attribute === 'partner' && SOMEONE.test(one.now ?? '') ? { ...one, now: name ?? one.now } : one;
  return sentences.map((sentence) => ({ ...sentence, statements: sentence.statements.map(toNamed) }));
}

/** How English tells that something is so no more. */
export const english: StateLanguage = {
  mayChange: (text) => cues.test(text),
  read: (text) => withNames(splitSentences(text).map(readSentence), text),
  isSameSubject,
  names: hasTerms,
  isSameValue,
};
