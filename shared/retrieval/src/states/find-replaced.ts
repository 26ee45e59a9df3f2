import { chinese } from './chinese/chinese.ts';
import { english } from './english/english.ts';
import type { StatedSentence, StateLanguage, Statement } from './statement.ts';

/** Something that somebody said, and when. */
export interface Saying {
  readonly speaker: string;
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** That what somebody said is so no more. */
export interface Replacement {
  /** When that was said, milliseconds since 1970. */
  readonly until: number;
  /** What is so now, in the words in which it was said; absent where nothing took its place. */
  readonly now?: string | undefined;
  /** The place among all sayings of the one that first said that it is over. */
  readonly since: number;
  /** The place of the one that tells what is so now, else of the first. */
  readonly by: number;
  /** The sentence that is over. */
  readonly sentence: string;
}

/** Most characters of a saying that are read: what is longer is no plain statement of how things are. */
const MAX_READ = 2_000;
const HAN = /\p{Script=Han}/u;

interface Read {
  readonly at: number;
  readonly saying: Saying;
  readonly language: StateLanguage;
  readonly sentences: readonly StatedSentence[];
}

/** A saying that tells of a change, with the changes. */
interface Change extends Read {
  readonly change: Statement;
}

/** Whether a change was only mentioned later: it names a year before the one in which the other was said. */
const isOfBefore = ({ year }: Statement, earlier: Saying, later: Saying): boolean =>
  year !== undefined &&
  year <= new Date(earlier.time).getUTCFullYear() &&
  year !== new Date(later.time).getUTCFullYear();

/** Whether a value of an attribute is over where another has changed: who has quit has no employer, and is none of theirs. */
const isOf = (attribute: string, changed: string | undefined): boolean =>
  attribute === changed || (changed === 'work' && (attribute === 'job' || attribute === 'employer'));

/** Whether a change ends what a sentence states. */
function ends(change: Statement, { text, statements }: StatedSentence, language: StateLanguage): boolean {
  const { names, isSameSubject, isSameValue } = language;
  const { of, over, now: after } = change;
  const isOfSame = statements.some(
    (one) => one.of !== undefined && one.attribute === change.attribute && one.of === of,
  );
  if (of !== undefined && !isOfSame && !names(text, of)) return false;
  const about = of !== undefined ? statements : statements.filter((one) => isSameSubject(one.subject, change.subject));
  if (over !== undefined) {
    const isOfIt = ({ attribute }: Statement): boolean =>
      of !== undefined || change.attribute === undefined || attribute === change.attribute;
    return about.some(isOfIt) && names(text, over);
  }
  return about.some((one) => {
    const isOfIt =
      of !== undefined ? one.of !== undefined : one.attribute !== undefined && isOf(one.attribute, change.attribute);
    return isOfIt && (after === undefined || (one.now !== undefined && !isSameValue(one.now, after)));
  });
}

/** Whether a change brings back what a sentence states. */
const isAgain = (change: Statement, { statements }: StatedSentence, { isSameSubject, isSameValue }: StateLanguage) =>
  statements.some(
    ({ subject, attribute, now }) =>
      attribute !== undefined &&
      attribute === change.attribute &&
      isSameSubject(subject, change.subject) &&
      [now, change.now].every((value) => value !== undefined) &&
      isSameValue(now ?? '', change.now ?? ''),
  );

/** What the same saying tells to be so now, of the same subject, next to what it tells to be over. */
const toFollowing = ({ change, sentences }: Change): string | undefined =>
  sentences
    .flatMap(({ statements }) => statements)
    .find((one) => one.isChange && one.subject === change.subject && one.now !== undefined && one.of === undefined)
    ?.now;

/** What ends a sentence of those changes that were stated after it. */
function toEnd(
  sentence: StatedSentence,
  { saying, language }: Read,
  later: readonly Change[],
): Replacement | undefined {
  const telling = later.filter(
    ({ change, saying: after }) => !isOfBefore(change, saying, after) && ends(change, sentence, language),
  );
  const [first] = telling;
  if (first === undefined) return undefined;
  const last = telling.filter(({ change }) => change.now !== undefined).at(-1) ?? first;
  const now = last.change.now ?? toFollowing(last);
  // What is so again was over for a while only.
  if (now !== undefined && language.names(sentence.text, now)) return undefined;
  if (later.some((one) => one.saying.time > last.saying.time && isAgain(one.change, sentence, language)))
    return undefined;
  return {
    until: first.saying.time,
    since: first.at,
    by: last.at,
    sentence: sentence.text.trim(),
    ...(now !== undefined && { now }),
  };
}

function toRead(saying: Saying, at: number): Read {
  const language = HAN.test(saying.text) ? chinese : english;
  return { at, saying, language, sentences: language.read(saying.text.slice(0, MAX_READ)) };
}

/** The changes that are stated in sayings, oldest first. */
function toChanges(sayings: readonly Saying[]): readonly Change[] {
  const changing = sayings.flatMap((saying, at) => {
    const text = saying.text.slice(0, MAX_READ);
    return (HAN.test(text) ? chinese : english).mayChange(text) ? [toRead(saying, at)] : [];
  });
  return changing
    .flatMap((read) => read.sentences.flatMap(({ statements }) => statements.map((change) => ({ ...read, change }))))
    .filter(({ change }) => change.isChange)
    .sort((a, b) => a.saying.time - b.saying.time || a.at - b.at);
}

/**
 * Finds what of all that was said is so no more, since the same person said later in so many words that it changed: moved, quit, broke up,
 * switched from one to another; in English and Chinese. Conservative: what is asked, quoted, supposed, planned or said of others replaces
 * nothing. Answers by the places of the sayings.
 */
export function findReplaced(sayings: readonly Saying[]): ReadonlyMap<number, Replacement> {
  const changes = toChanges(sayings);
  const replaced = new Map<number, Replacement>();
  if (changes.length === 0) return replaced;
  for (const [at, saying] of sayings.entries()) {
    const language = HAN.test(saying.text) ? chinese : english;
    const later = changes.filter(
      (one) => one.saying.speaker === saying.speaker && one.saying.time > saying.time && one.language === language,
    );
    if (later.length === 0) continue;
    const read = toRead(saying, at);
    for (const sentence of read.sentences) {
      const end = toEnd(sentence, read, later);
      if (end === undefined) continue;
      replaced.set(at, end);
      break;
    }
  }
  return replaced;
}
