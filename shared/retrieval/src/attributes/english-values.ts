import type { ReadValue } from './attribute.ts';
import { isOccupation, isOfTrade } from './occupations.ts';
import { isCountry, isLanguage, isRegion } from './places.ts';
import { isContentWord, isTail, type Tail } from './tails.ts';

const DATED =
  'january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday';
const OCCASIONS = 'christmas easter halloween thanksgiving ramadan hanukkah diwali god heaven hell christ jesus';
/** Words that are written with a capital and name neither a place nor an employer. */
const otherCapitals = new Set(`${DATED} ${OCCASIONS}`.split(' '));
/** Words of a name that are written small. */
const PARTICLES =
  'de|da|do|dos|das|del|della|di|la|le|les|van|von|der|den|ten|ter|bin|bint|al|el|af|av|zu|y|e|on|upon|under|am|an|sur|sous|of';
const CAPITALISED = "\\p{Lu}[\\p{L}\\p{M}.'-]*";
const NAME = new RegExp(`^${CAPITALISED}(?: (?:(?:${PARTICLES}) ){0,2}${CAPITALISED}){0,4}`, 'u');
const ORGANISATION =
  /^(?:the )?(?:\p{Lu}[\p{L}\p{M}\p{N}.'&-]*)(?: (?:(?:of|de|for|the|&) ){0,2}\p{Lu}[\p{L}\p{M}\p{N}.'&-]*){0,5}/u;

/** The words in capitals at the beginning, where tails alone follow. */
function readCapitals(text: string, pattern: RegExp, tails: readonly Tail[]): string | undefined {
  const value = pattern.exec(text)?.[0];
  if (value === undefined || !isTail(text.slice(value.length), tails)) return undefined;
  const words = value.replace(/^the /u, '').split(' ');
  const isName = words.every((word) => /^\p{Ll}/u.test(word) || isContentWord(word));
  return isName && !otherCapitals.has((words[0] ?? '').toLowerCase()) ? value : undefined;
}

/** The name of a person. */
export const readName: ReadValue = (text) => {
  const value = readCapitals(text, NAME, ['sentence']);
  return value === undefined ? undefined : { value };
};

/** Spellings of programs, brands and abbreviations, which no place has: capitals within, none but capitals. */
const PRODUCT = /\p{Ll}\p{Lu}|^\p{Lu}{3,}$/u;

const readPlace =
  (tails: readonly Tail[]): ReadValue =>
  (text) => {
    const value = readCapitals(text.replace(/^the (?=\p{Lu})/u, ''), NAME, tails);
    if (value === undefined) return undefined;
    if (isCountry(value)) return { value, key: 'country' };
    if (text.startsWith('the ') || isRegion(value) || PRODUCT.test(value)) return undefined;
    return { value };
  };

/** The place where somebody lives. */
export const readHome = readPlace(['time', 'place', 'near', 'company', 'reason', 'sentence']);
/** What else people move to, and write with a capital: other work, other programs. */
const OTHER_GOAL =
  /^(?:Team|Group|Division|Level|Stage|Phase|Plan|Section|Room|Seat|Marketing|Sales|Finance|Accounting|Engineering|Research|Design|Product|Operations|Legal|Support|Management|HR|Linux|Ubuntu|Debian|Fedora|Windows|Mac|Android|Apple|Google|Microsoft|Amazon|Chrome|Firefox|Python|Java|Rust|Go|Ruby|Kotlin|Swift|Postgres|Docker|Kubernetes|Slack|Teams|Discord|Telegram|Signal|Notion|Obsidian|Excel|Word|Jira|Scrum|Kanban|Git|Azure|Spotify|Netflix)\b/u;
/** The place that somebody moved to. */
export const readGoal: ReadValue = (text) =>
  OTHER_GOAL.test(text) ? undefined : readPlace(['time', 'place', 'reason'])(text);
/** The place where somebody has lived, where how long is said: it is so still. */
export const readHomeSince: ReadValue = (text) => (/ (?:for|since) /u.test(text) ? readHome(text) : undefined);
/** A place and nothing else. */
export const readTown = readPlace(['place', 'sentence']);

/** Who somebody works for. */
export const readEmployer: ReadValue = (text) => {
  const value = readCapitals(text, ORGANISATION, ['time', 'place', 'post', 'sentence']);
  return value === undefined || isCountry(value.replace(/^the /u, '')) ? undefined : { value };
};

/** Words before an occupation that say that it is none, or not any longer. */
const NOT_HELD =
  /^(?:former|ex|future|aspiring|failed|fake|would-be|wannabe|part|bad|good|terrible|great|awful|lousy|decent)$/u;

function readJob(text: string, isModifier: (word: string) => boolean): string | undefined {
  const words = /^(?:an? )?(?<words>[\p{L}'-]+(?: [\p{L}'-]+){0,4})/u.exec(text)?.groups?.['words']?.split(' ') ?? [];
  const start = /^(?:an? )?/u.exec(text)?.[0].length ?? 0;
  for (let count = Math.min(4, words.length); count > 0; count -= 1) {
    const taken = words.slice(0, count);
    const value = taken.join(' ');
    // "by trade" says of any word that it is an occupation.
    const isNamed = /^ by (?:trade|profession)/u.test(text.slice(start + value.length));
    if (!isNamed && !isOccupation((taken.at(-1) ?? '').toLowerCase())) continue;
    const isHeld = taken.slice(0, -1).every((word) => !NOT_HELD.test(word) && isModifier(word.toLowerCase()));
    if (isHeld && isTail(text.slice(start + value.length), ['time', 'place', 'workplace', 'trade', 'sentence']))
      return value;
  }
  return undefined;
}

const toValue = (value: string | undefined) => (value === undefined ? undefined : { value });

/** An occupation after "I work as" or "my job is". */
export const readWork: ReadValue = (text) => toValue(readJob(text, isContentWord));
/** An occupation after "I am", where more may be meant than what somebody does for a living. */
export const readBeing: ReadValue = (text) => (/^an? /u.test(text) ? toValue(readJob(text, isOfTrade)) : undefined);

const ones =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = '_ _ twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

function toYears(text: string): number {
  if (/^\d{1,3}$/u.test(text)) return Number(text);
  const [ten = '', one = ''] = text.split(/[ -]/u);
  if (ones.includes(ten) && one === '') return ones.indexOf(ten);
  const more = one === '' ? 0 : ones.indexOf(one);
  return tens.includes(ten) && more >= 0 && more < 10 ? 10 * tens.indexOf(ten) + more : Number.NaN;
}

const AGE =
  /^(?<years>\d{1,3}|[a-z]+(?:[ -](?:one|two|three|four|five|six|seven|eight|nine))?)(?<named> years? old| years? of age)?(?<tail>$| (?:now|today|this week|this month|this year|last week|and .*)$)/iu;

/** How old somebody is; `least` is the youngest who says it without "years old". */
const readYears =
  (least: number): ReadValue =>
  (text) => {
    const { years = '', named } = AGE.exec(text)?.groups ?? {};
    const age = toYears(years.toLowerCase());
    return age >= (named === undefined ? least : 1) && age <= 120 ? { value: String(age) } : undefined;
  };
/** An age after "I am", where a number alone may be that of anything. */
export const readAgeOfMe = readYears(13);
/** An age after "my age is". */
export const readAge = readYears(1);
/** An age after "I turned": of late. */
export const readTurned: ReadValue = (text) =>
  / (?:today|this \w+|last week)$/iu.test(text) ? readAge(text) : undefined;

const MONTH =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const DAY = '(?:the )?\\d{1,2}(?:st|nd|rd|th)?';
const BIRTHDAY = new RegExp(
  `^(?:on )?(?<day>${DAY} (?:of )?${MONTH}(?:,? \\d{4})?|${MONTH} ${DAY}(?:,? \\d{4})?|\\d{4}-\\d\\d-\\d\\d|\\d{1,2}[./]\\d{1,2}[./]\\d{4})(?<tail>.*)$`,
  'iu',
);

/** A day of birth, with or without its year. */
export const readBirthday: ReadValue = (text) => {
  const { day, tail = '' } = BIRTHDAY.exec(text)?.groups ?? {};
  return day !== undefined && isTail(tail, ['place', 'sentence']) ? { value: day } : undefined;
};

/** A title, or a name: what is written with a capital. */
export const readTitle: ReadValue = (text) => {
  const value = /^["']?(?<title>\p{Lu}[^.;:"]{0,80})["']?$/u.exec(text)?.groups?.['title'];
  return toValue(value !== undefined && !/^(?:Not|No|What|When|The one)\b/u.test(value) ? value : undefined);
};

const COLOUR =
  /^(?:(?:dark|light|deep|pale|bright|navy|sky|royal|forest|olive|mint|sea|emerald|pastel|hot|baby|neon|burnt) ){0,2}(?:red|yellow|blue|green|white|black|purple|pink|gr[ea]y|orange|brown|teal|turquoise|cyan|magenta|violet|indigo|lavender|lilac|beige|maroon|navy|olive|gold|silver|crimson|scarlet|burgundy|mauve|coral|mint|aquamarine|ochre|ivory|mustard|peach|salmon|khaki|charcoal)$/iu;
/** A colour. */
export const readColour: ReadValue = (text) => toValue(COLOUR.test(text) ? text : undefined);
/** A season. */
export const readSeason: ReadValue = (text) =>
  toValue(/^(?:spring|summer|autumn|fall|winter)$/iu.test(text) ? text : undefined);
/** Things by the plural, which says of none how it is: "dumplings", where "spicy" would be no food. */
export const readThings: ReadValue = (text) =>
  toValue(
    /^(?:[a-z-]+ )?[a-z-]{2,}(?<![su]|i)s$/iu.test(text) && text.split(' ').every(isContentWord) ? text : undefined,
  );
/** The name of a language, with one word before it: Swiss German. */
export const readLanguage: ReadValue = (text) =>
  toValue(
    /^(?:\p{Lu}\p{L}+ )?\p{Lu}\p{L}+$/u.test(text) && isLanguage(text.split(' ').at(-1) ?? '') ? text : undefined,
  );
