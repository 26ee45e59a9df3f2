import { findDates, type Moment, toWallDate } from '@contextloom/retrieval/time';
import { readNumbers } from '../numbers/numbers.ts';

const DAY = 86_400_000;

/** Words that tell a day by another one, with the days from and to that they may mean. */
const RELATIVE: readonly (readonly [words: RegExp, from: number, to: number])[] = [
  [
    /\b(?:today|tonight|this (?:morning|afternoon|evening)|just (?:now|got|had)|now)\b|今天|今早|今晚|今日|刚才|刚刚|现在/iu,
    -1,
    1,
  ],
  [/\byesterday\b|\blast night\b|昨[天日晚]/iu, -2, 0],
  [/\bday before yesterday\b|前[天日](?!.{0,2}前)|大前天/iu, -4, -1],
  [/\btomorrow\b|明[天日早晚]/iu, 0, 2],
  [/\bday after tomorrow\b|后天|大后天/iu, 1, 4],
  [/\b(?:last|past|previous) (?:week|few days)|上(?:个)?(?:周|星期|礼拜)/iu, -15, 0],
  [/\b(?:last|past|this|on the|over the) weekend|(?:上|这)?(?:个)?周末/iu, -10, 8],
  [/\bthe other day\b|\brecently\b|\blately\b|最近|前几天|这几天|前阵子|前段时间|不久前/iu, -45, 1],
  [
    /\b(?:last|on|this|next|coming) (?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:周|星期|礼拜)[一二三四五六日天末]/iu,
    -14,
    14,
  ],
  [/\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/iu, -8, 8],
  [/\bthis week\b|(?:这|本)(?:个)?(?:周|星期|礼拜)/iu, -7, 7],
  [/\bthis month\b|(?:这|本)个?月|月底|月初|月中/iu, -31, 31],
  [/\b(?:next|upcoming|coming) (?:week|weekend|few days)|下(?:个)?(?:周|星期|礼拜)|过几天|过两天/iu, 0, 16],
  [/\bsoon\b|不久|马上|快要/iu, 0, 62],
  [/\b(?:last|past|previous) month|上个?月/iu, -62, 0],
  [/\b(?:last|past|previous) (?:few|couple(?: of)?) (?:weeks|months)|前几个月|这几个月/iu, -190, 0],
  [/\bnext month|下个?月/iu, 0, 62],
  [/\bnext few (?:weeks|months)|过几个月/iu, 0, 190],
];
/** Words that tell a year or a season by the year in which they are said, with the years from and to. */
const YEARS: readonly (readonly [words: RegExp, from: number, to: number])[] = [
  [/\b(?:last|past|previous) (?:year|summer|winter|spring|fall|autumn|christmas)|\ba year ago\b|去年/iu, -1, 0],
  [/前年/u, -2, -1],
  [
    /\bthis (?:year|summer|winter|spring|fall|autumn|christmas)|今年|(?:春|夏|秋|冬)天|暑假|寒假|春节|国庆|中秋/iu,
    0,
    1,
  ],
  [/\bnext (?:year|summer|winter|spring|fall|autumn|christmas)|明年|年底|年初/iu, 0, 1],
  [/后年/u, 2, 2],
  [
    /\b(?:christmas|thanksgiving|halloween|easter|new year(?:'s)?|valentine(?:'s)?)\b|圣诞|元旦|端午|清明|五一|十一|除夕|过年/iu,
    -1,
    1,
  ],
];
type Months = readonly (readonly [words: RegExp, months: readonly number[]])[];

/** Seasons, with the months from 0 that they may be in. */
const SEASONS: Months = [
  [/\bspring\b|春天/iu, [2, 3, 4, 5]],
  [/\bsummer\b|夏天|暑假/iu, [5, 6, 7, 8]],
  [/\b(?:fall|autumn)\b|秋天/iu, [8, 9, 10, 11]],
  [/\bwinter\b|冬天|寒假/iu, [11, 0, 1, 2]],
];
/** Holidays, which are days of the months that are given. */
const HOLIDAYS: Months = [
  [/\b(?:christmas|xmas|new year(?:'s|’s)? eve)\b|圣诞/iu, [11]],
  [/\bnew year(?:'s|’s)? (?:day|resolution)|元旦/iu, [0]],
  [/\bthanksgiving\b/iu, [10]],
  [/\bhalloween\b/iu, [9]],
  [/\beaster\b|清明/iu, [2, 3]],
  [/\bvalentine/iu, [1]],
  [/春节|过年|除夕|年夜饭|元宵/u, [0, 1]],
  [/国庆|十一(?:长假|假期|黄金周)/u, [9]],
  [/中秋/u, [8, 9]],
  [/五一|劳动节/u, [4]],
  [/端午/u, [4, 5]],
];

const COUNT =
  '(\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|a few|few|several|a couple(?: of)?|[一二两三四五六七八九十半几]{1,3})';
const UNIT = '(days?|nights?|weeks?|fortnights?|months?|years?|decades?|天|日|周|个?星期|个?礼拜|个?月|年)';
const COUNTED = new RegExp(`${COUNT}\\s*(?:and a half |more |whole |full |多|来)?\\s*(?:个)?${UNIT}`, 'giu');

/** How many days a unit of time has, at most. */
function toDays(unit: string): number {
  if (/^(?:day|night|天|日)/iu.test(unit)) return 1;
  if (/^(?:fortnight)/iu.test(unit)) return 14;
  if (/week|周|星期|礼拜/iu.test(unit)) return 7;
  if (/month|月/iu.test(unit)) return 31;
  return /decade/iu.test(unit) ? 3_660 : 366;
}

/** The counts that a word may mean. */
function toCounts(word: string): readonly number[] {
  if (/few|several|couple|几/iu.test(word)) return [1, 2, 3, 4, 5, 6];
  const found = [...readNumbers(word)].filter((count) => count > 0 && count <= 120);
  return /半/u.test(word) ? [...found, 0.5] : found;
}

/** How exactly words tell a time. */
export type TimeUnit = 'day' | 'month' | 'year';

/** A stretch of time, in epoch milliseconds. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** A stretch that words may mean, and how exactly they tell a time in it. */
export interface MeantStretch extends Stretch {
  readonly unit: TimeUnit;
}

/** Relative words that may mean so many days tell a month, or less. */
const MONTH_WORDS_DAYS = 60;

const toUnit = (days: number): TimeUnit => {
  if (days < 31) return 'day';
  return days < 366 ? 'month' : 'year';
};

/** The stretches of time that the words of a text may mean, said on a day; that day among them unless `isToday` is false. */
export function toMeantTimes(text: string, saidOn: Moment, { isToday = true } = {}): readonly MeantStretch[] {
  const origin = Date.parse(toWallDate(saidOn));
  const stretch = (from: number, to: number, unit: TimeUnit = 'day'): MeantStretch => ({
    from: origin + from * DAY,
    to: origin + to * DAY,
    unit,
  });
  const relative = RELATIVE.filter(([words]) => words.test(text)).map(([, from, to]) =>
    stretch(from, to, to - from < MONTH_WORDS_DAYS ? 'day' : 'month'),
  );
  const year = Number(saidOn.slice(0, 4));
  const years = YEARS.filter(([words]) => words.test(text)).map(
    ([, from, to]): MeantStretch => ({
      from: Date.UTC(year + from, 0, 1),
      to: Date.UTC(year + to, 11, 31),
      unit: 'year',
    }),
  );
  const counted = [...text.matchAll(COUNTED)].flatMap(([, word = '', unit = '']) =>
    toCounts(word.toLowerCase()).flatMap((count) => {
      const days = toDays(unit);
      const [least, most] = [(count - 1) * days, (count + 1) * days];
      return [stretch(-most, -least, toUnit(days)), stretch(least, most, toUnit(days))];
    }),
  );
  return [
    ...(isToday ? [stretch(-1, 1)] : []),
    ...relative,
    ...years,
    ...counted,
    ...toSeasons(text, year),
    ...toMonths(
      readMonths(text).map(({ month }) => month),
      year,
      'month',
    ),
    ...toNamedDays(text, origin),
  ];
}

const MONTH_NAMES = 'january february march april may june july august september october november december'.split(' ');
/** A month by its name: `may` and `march` count with a capital letter alone, since they are words as well. */
const MONTH =
  /\b(?:(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b\.?|May\b|(?:[Jj]anuary|[Ff]ebruary|March|[Aa]pril|[Jj]une|[Jj]uly|[Aa]ugust|[Ss]eptember|[Oo]ctober|[Nn]ovember|[Dd]ecember)\b)/gu;
const toMonth = (name: string): number =>
  MONTH_NAMES.findIndex((month) => month.startsWith(name.toLowerCase().replace('.', '').slice(0, 3)));

/** Months from 0, of the years around one. */
function toMonths(months: readonly number[], year: number, unit: TimeUnit): readonly MeantStretch[] {
  return months.flatMap((month) =>
    [year - 1, year, year + 1].map((one) => ({ from: Date.UTC(one, month, 1), to: Date.UTC(one, month + 1, 0), unit })),
  );
}

/** The months of the seasons and holidays that a text names, of the years around one. */
function toSeasons(text: string, year: number): readonly MeantStretch[] {
  const among = (list: Months): readonly number[] =>
    list.filter(([words]) => words.test(text)).flatMap(([, months]) => months);
  return [...toMonths(among(SEASONS), year, 'month'), ...toMonths(among(HOLIDAYS), year, 'day')];
}

/** The months that a text names, from 0. */
function readMonths(text: string): readonly { readonly month: number; readonly text: string }[] {
  const chinese = [...text.matchAll(/(?<!\d)(\d{1,2}|[一二三四五六七八九十]{1,2})月/gu)];
  return [
    ...[...text.matchAll(MONTH)].map(([name]) => ({ month: toMonth(name), text: name })),
    ...chinese.map(([shown, count = '']) => ({ month: (toCounts(count)[0] ?? 0) - 1, text: shown })),
  ].filter(({ month }) => month >= 0 && month < 12);
}

/** A day of the month alone, `the 24th`, `24号`: that day of this month or of the ones around it, or the week of it. */
function toNamedDays(text: string, origin: number): readonly MeantStretch[] {
  const said = new Date(origin);
  return [
    ...text.matchAll(
      /\bthe (\d{1,2})(?:st|nd|rd|th)\b(?! (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))|(?<![月\d])(\d{1,2})[号日]/giu,
    ),
  ].flatMap(([, english, chinese]) => {
    const day = Number(english ?? chinese);
    const slack = /week|周|星期/iu.test(text) ? 6 * DAY : 0;
    return [-1, 0, 1].map((month): MeantStretch => {
      const at = Date.UTC(said.getUTCFullYear(), said.getUTCMonth() + month, day);
      return { from: at - slack, to: at + slack, unit: 'day' };
    });
  });
}

/** A month of a text, named without a year or day, that what was said cannot mean. */
export function findStrangeMonth(content: string, said: string, saidOn: Moment | undefined): string | undefined {
  const bare = readMonths(content);
  if (bare.length === 0) return undefined;
  const known = new Set(readMonths(said).map(({ month }) => month));
  // Where a month is named, it is not the month of the conversation that is meant.
  const dated = saidOn === undefined ? [] : toMeantTimes(said, saidOn, { isToday: known.size === 0 });
  const year = Number((saidOn ?? '2000').slice(0, 4));
  const numbers = [...said.matchAll(/(?:^|\D)(\d{1,2})[/.-]\d{1,2}|\d{4}-(\d{2})/gu)].map(
    ([, one, two]) => Number(one ?? two) - 1,
  );
  return bare.find(({ month }) => {
    if (known.has(month) || numbers.includes(month)) return false;
    if (saidOn === undefined) return true;
    const ranges = [year - 2, year - 1, year, year + 1, year + 2].map((one) => ({
      from: Date.UTC(one, month, 1),
      to: Date.UTC(one, month + 1, 0),
    }));
    return !ranges.some((range) => isMeantDate(range, dated));
  })?.text;
}

/** A day, month or year as a text names it. */
export interface NamedDate extends Stretch {
  readonly text: string;
}

/** The dates that a text names, to the first moment of their last day; those without a year are of the year that is given. */
export function readDates(text: string, year: number): readonly NamedDate[] {
  return findDates(text, year).map((date) => ({ text: date.text, from: date.from, to: date.to - DAY }));
}

/** Whether a stretch of time is one that words may have meant. */
export function isMeant({ from, to }: Stretch, meant: readonly Stretch[]): boolean {
  return meant.some((stretch) => from <= stretch.to && to >= stretch.from);
}

/** A stretch of this many days or more is stated as a year. */
const YEAR_DAYS = 300;

/** The same for a date: a day or a month is not given by words that state a year alone. */
export function isMeantDate(named: Stretch, meant: readonly Stretch[]): boolean {
  const isLong = ({ from, to }: Stretch): boolean => to - from >= YEAR_DAYS * DAY;
  return isMeant(named, isLong(named) ? meant : meant.filter((stretch) => !isLong(stretch)));
}
