import * as words from './words.ts';

const WORD = "[\\p{L}\\p{N}][\\p{L}\\p{N}.'@+&-]*";
const CAPITALS = `\\p{Lu}[\\p{L}\\p{N}.'&-]*(?: (?:(?:and|of|the|de|upon) )?\\p{Lu}[\\p{L}\\p{N}'&-]*){0,3}`;
const THING = `${WORD}(?: (?!(?:${words.ending})(?: |$))${WORD}){0,4}`;
const MONTH = '(?:January|February|March|April|May|June|July|August|September|October|November|December)';
const DATE = `(?:(?:the|next|this) )?(?:\\d{1,2}(?:st|nd|rd|th)?(?: of)?(?: ${MONTH})?|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|${MONTH}(?: \\d{1,2}(?:st|nd|rd|th)?)?)`;
const CAPITALS_NOW = `(?:the )?(?<now>${CAPITALS})`;
const SHAPES: Readonly<Record<string, string>> = {
  place: `(?<now>${CAPITALS})`,
  name: `(?<now>\\p{Lu}[\\p{L}'-]+)`,
  date: `(?<now>${DATE})(?![\\p{L}\\p{N}])`,
  job: '(?<job>[\\p{L}-]+(?: [\\p{L}-]+){0,3}?)(?= (?:in|at|for|on|by|with|and)(?: |$)|$)',
  someone: '(?<now>girlfriend|boyfriend|partner|wife|husband|someone|somebody)',
  single: '(?<now>single)(?![\\p{L}])',
  now: `(?<now>${CAPITALS}|${THING})`,
  over: `(?<over>${CAPITALS}|${THING})`,
  employer: `(?:${CAPITALS_NOW}|(?:an?|the|my) (?<now2>${THING}))`,
  old: "[\\p{L}\\p{N}' -]{2,40}?",
  from: "(?<over>[\\p{L}\\p{N}'., -]{1,40}?)",
  rest: '(?<over>.{2,60}?)(?= any ?(?:more|longer)| since | as of |$)',
  called: '(?:(?:a (?:girl|woman|man|guy|boy)|someone|somebody) (?:called|named) )',
  a: '(?:an? |the |some )?',
};
const fill = (pattern: string): string => pattern.replace(/\{(\w+)\}/gu, (all, name: string) => SHAPES[name] ?? all);
const SUBJECT = '^(?:(?<subject>.{1,40}?) )?(?:have |has |had )?(?:been )?';
const compile = (pattern: string): RegExp => new RegExp(`${SUBJECT}(?:${fill(pattern)})(?![\\p{L}\\p{N}])`, 'u');
const compileAll = (patterns: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(patterns).flatMap(([attribute, all]) => all.map((one) => ({ attribute, pattern: compile(one) })));

/** What is so, by attribute. */
export const states = compileAll(words.states);
/** What has changed, by attribute. */
export const changes = compileAll(words.changes);
/** What happens to a thing that is named. */
export const turns = words.turns.map(compile);
/** The same with somebody before it. */
export const turnsOf = compile(words.turnsOf);
const wordsOf = (list: string, flags = 'iu'): RegExp => new RegExp(`(?<![\\p{L}'])(?:${list})(?![\\p{L}'])`, flags);
/** Small letters alone: May is a month. */
const doubtWords = wordsOf(words.doubt, 'u');
/** Whether a clause states nothing of how things are. */
export const isDoubtful = (clause: string): boolean =>
  doubtWords.test(`${clause.charAt(0).toLowerCase()}${clause.slice(1)}`);
/** What others say, or what is supposed. */
export const reports = wordsOf(words.reports);
/** What is left for a moment. */
export const passing = new RegExp(words.passing, 'iu');
/** Words of now. */
export const nowWords = wordsOf(words.now);
/** All words of now in a text. */
export const everyNow = wordsOf(words.now, 'giu');
/** Words without which nothing has changed. */
export const cues = wordsOf(words.cues);
/** Words that tell only how or since when. */
export const adverbs = wordsOf(words.adverbs, 'giu');
/** A word for somebody of the family, or near. */
export const relation = new RegExp(`^(?:(?:${words.relations})s?)$`, 'iu');
/** Things of which somebody has one. */
export const singleThing = new RegExp(`^(?:new )?(?:${words.single})$`, 'iu');
/** What somebody is, has or does, behind who it is. */
export const holding = new RegExp(`^(?:(?<subject>.{1,40}?) )(?:${words.holding})(?![\\p{L}])`, 'u');
/** My phone number is now …, my new girlfriend is called … */
export const possessive = new RegExp(
  `^(?:my|our|My|Our) (?<key>(?:[\\p{L}-]+ ){0,3}?[\\p{L}-]+) (?:is|are)(?: (?:a (?:man|woman|girl|guy|boy) )?called)? (?<now>${WORD}(?: ${WORD}){0,5})`,
  'u',
);
/** I have got a new phone number: … */
export const renewed = new RegExp(
  `^(?:I|we|We) (?:have |got |have got )+a new (?<key>[\\p{L} -]{3,20}): ?(?<now>${WORD}(?: ${WORD}){0,4})`,
  'u',
);
/** It is the 21st of June, not the 14th. */
export const notThat = new RegExp(
  `(?:is|on|was) (?<now>(?:the )?${WORD}(?: ${WORD}){0,4}?)(?: now)?, (?:and )?not (?:on )?(?:the )?(?<over>${WORD}(?: ${WORD}){0,2})`,
  'u',
);
/** When something is. */
export const thereIs = new RegExp(
  `^(?<of>.{3,40}?) (?:is|are|takes place)(?: on| at)? (?<now>${DATE})(?![\\p{L}\\p{N}])`,
  'u',
);

/** What a new partner is called, in the words that follow. */
export const PARTNER_NAME = /\b(?:[Hh]er|[Hh]is|[Tt]heir) name(?:'s| is) (?<name>\p{Lu}[\p{L}'-]+)/u;
/** A partner without a name. */
export const SOMEONE = /^(?:girlfriend|boyfriend|partner|wife|husband|someone|somebody)$/u;
/** Who left whoever speaks. */
export const leaving = new RegExp(
  `^(?<who>[Hh]e|[Ss]he|(?:[Mm]y )?(?:ex|girlfriend|boyfriend|partner|wife|husband)|\\p{Lu}\\p{L}+) (?:has )?(?:${words.leaving})(?![\\p{L}])`,
  'u',
);
/** Who or what is theirs no more. */
export const gone = new RegExp(`^(?:The |the )?(?<over>${CAPITALS}) (?:has |have )?(?:${words.gone})(?![\\p{L}])`, 'u');
/** Who dismissed whoever speaks. */
export const dismissing = new RegExp(
  `^(?:The |the )?(?<over>${CAPITALS}) (?:has |have )?${words.dismissing}(?![\\p{L}])`,
  'u',
);
/** A new one of a thing of which somebody has one. */
export const renewal = new RegExp(`^(?:I|we|We) (?:have )?(?:got|bought|have) a new (?<of>${words.renewable})$`, 'u');
/** What was believed turns out not to be so. */
export const afterAll = wordsOf(words.corrected);
/** `I am not allergic to nuts after all` */
export const notAfterAll = /^(?:I|we|We) (?:do|am|are) not (?<over>.{2,60}?)(?: after all)?$/u;
/** A partner who is not named. */
export const NAMELESS =
  /^(?:him|her|them|he|she|me|(?:my )?(?:ex|girlfriend|boyfriend|partner|wife|husband|fiancée?))\b/iu;
