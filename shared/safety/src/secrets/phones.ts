import { type CountryCode, findPhoneNumbersInText } from 'libphonenumber-js/max';
import { beginsWithDate, countDigits, type Detector, type Finding, findAll } from './finding.ts';

/** Mainland mobile numbers, whole or in the usual 3-4-4; their eleven digits are a form that nothing else has. */
const CHINESE_MOBILE =
  /(?<![\dA-Za-z_]|\d[.,/-])(?:(?:\+|00)?\(?86\)?[ -]?)?1[3-9]\d(?:[ -]?\d{4}[ -]?\d{4}|[ -]\d{3}[ -]\d{5})(?![\dA-Za-z_]|[.,/-]\d)/gu;
/** North American numbers with brackets, dashes or dots; not checked further, since people tell 555 numbers too. */
const AMERICAN =
  /(?<![\dA-Za-z_]|\d[.,/-])(?:\+?1[ .-]?)?(?:\([2-9]\d{2}\)[ -]?\d{3}[ .-]\d{4}|[2-9]\d{2}-\d{3}-\d{4}|[2-9]\d{2}\.\d{3}\.\d{4})(?![\dA-Za-z_]|[.,/-]\d)/gu;

/** Numbers of these forms may be other things, so the numbering plan is asked whether there is such a one. */
const AMERICAN_SPACED = /(?<![\dA-Za-z_]|\d[ .,/-])(?:1[ -])?[2-9]\d{2} \d{3}[ -]\d{4}(?![\dA-Za-z_]|[ .,/-]\d)/gu;
const CHINESE_LANDLINE =
  /(?<![\dA-Za-z_]|\d[.,/-])(?:\(0\d{2,3}\)[ -]?|0\d{2,3}[ -]?)[2-9](?:\d{6,7}|\d{2,3}[ -]\d{4})(?![\dA-Za-z_]|[.,/-]\d)|(?<![\dA-Za-z_]|\d[ .,/-])[48]00-\d{3}-?\d{4}(?![\dA-Za-z_]|[ .,/-]\d)/gu;
const INTERNATIONAL = /(?<![\dA-Za-z_+])(?:\+ ?|00)[1-9](?:[ .-]?(?:\(\d{1,4}\)|\d)){6,15}(?![\dA-Za-z_]|[.,/-]\d)/gu;

/** Ranges reserved for stories (+44 7700 900…) and newly issued ones are in no plan; a plus and groups say enough. */
const INTERNATIONAL_IN_GROUPS = /^\+ ?\d{1,3}[ .-].*\d{2}[ .-]\d{2}|^\+ ?\d{1,3}[ .-]\(?\d{2,4}\)?[ .-]?\d{6}/u;
const FEWEST_INTERNATIONAL_DIGITS = 9;

function isCertain(value: string): boolean {
  return countDigits(value) >= FEWEST_INTERNATIONAL_DIGITS && INTERNATIONAL_IN_GROUPS.test(value);
}

/** What stands before a number that is of a thing, not of a telephone. */
const THING =
  /(?:order|invoice|ticket|tracking|case|model|part|serial|item|sku|isbn|issn|订单|单号|编号|型号|序列号|书号)(?: ?(?:number|no\.?|id|号码?))?[\s:#是]*$/iu;
const LONGEST_THING = 24;

function isOfThing(plain: string, start: number): boolean {
  return THING.test(plain.slice(Math.max(0, start - LONGEST_THING), start));
}

/**
 * Asks the numbering plan about all candidates in one go: in a text of nothing but them, each at its own place.
 * Whole texts are not given away: over 200,000 characters of `1 1 1 1` each country takes three seconds.
 */
function findPlanned(plain: string, pattern: RegExp, defaultCountry: CountryCode): readonly Finding[] {
  const lines: string[] = [];
  let written = 0;
  for (const { 0: candidate, index } of plain.matchAll(pattern)) {
    if (isOfThing(plain, index) || isCertain(candidate)) continue;
    lines.push('\n'.repeat(index - written), candidate);
    written = index + candidate.length;
  }
  if (written === 0) return [];
  return findPhoneNumbersInText(lines.join(''), { defaultCountry }).map(({ startsAt, endsAt }) => ({
    start: startsAt,
    end: endsAt,
    kind: 'phone number',
  }));
}

const ENGLISH_WORDS =
  "(?<![A-Za-z])(?:(?:tele|cell)?phone|mobile|cell|landline|fax|whats ?app|tel|contact)(?:(?:'s)? ?(?:number|no\\.?|#))?(?:\\s{0,3}(?:is|was|at|on|:|=|#)){0,2}";
const ENGLISH_VERBS =
  '(?<![A-Za-z])(?:call(?:ed)?|text(?:ed)?|ring|reach(?:ed|able)?|phoned?|dial(?:led|ed)?)(?: [A-Za-z]{1,20}){0,2}(?: (?:at|on|under))?';
const CHINESE_WORDS = '(?:电话|手机|座机|传真|联系方式|热线)(?:号码|号)?(?:\\s{0,3}(?:现在|就)?(?:是|为|:|=)|打)?';
/** Where the text says that it is a telephone number, any number of telephone length is one, in whatever country. */
const ANNOUNCED = new RegExp(
  `(?:${ENGLISH_WORDS}|${ENGLISH_VERBS}|${CHINESE_WORDS})\\s{0,3}(?<value>\\+?\\(?\\d(?:[ .()-]{0,2}\\d){6,14})(?![\\dA-Za-z_元块%年月]|[.,/:-]\\d)`,
  'dgiu',
);

/** Finds telephone numbers: in the ways that China, North America and the world write them, or where the text says so. */
export const findPhoneNumbers: Detector = (plain) => [
  ...findAll(plain, CHINESE_MOBILE, 'phone number'),
  ...findAll(plain, AMERICAN, 'phone number', (_value, { index }) => !isOfThing(plain, index)),
  ...findPlanned(plain, AMERICAN_SPACED, 'US'),
  ...findPlanned(plain, CHINESE_LANDLINE, 'CN'),
  ...findPlanned(plain, INTERNATIONAL, 'CN'),
  ...findAll(plain, INTERNATIONAL, 'phone number', isCertain),
  ...findAll(plain, ANNOUNCED, 'phone number', (value) => !beginsWithDate(value)),
];
