import { toRounds } from './rounds.ts';

/** Units that, repeated, have made expressions slow: blanks, marks of Markdown, quotes, digits, Chinese without blanks. */
export const REPEATED_UNITS: readonly string[] = [
  ' ',
  '\t',
  '\n',
  '\r\n',
  '> ',
  '* + - ',
  '- ',
  '--',
  '#',
  '# ',
  '=',
  '_',
  '~',
  '`',
  '|',
  '.',
  '. ',
  ',',
  '/',
  '+',
  '"',
  "'s ",
  '“',
  '「',
  '(',
  '[',
  '](',
  '{',
  '<',
  '<<',
  '<|',
  '@',
  ':',
  'a:',
  'Ann: hi\n',
  '\u200b',
  '\ufffd',
  '1',
  '1 ',
  '1,',
  '1-',
  '1/',
  '0a',
  '%41',
  '&#65;',
  '\\u0041',
  '12:30 ',
  '3月',
  '上周',
  '+1 ',
  'a',
  'a ',
  'a.',
  'A',
  'Ab ',
  'a-',
  'é',
  'e\u0301',
  'х',
  'aх',
  'i g ',
  'sk-',
  'eyJ',
  'https://a.b/',
  'a@b.',
  'Ann ',
  'ignore ',
  'you are ',
  'you must ',
  'send a ',
  'from now on ',
  'password is ',
  'I love you ',
  '你',
  '。',
  '，',
  '请',
  '你 ',
  '忽略',
  '今天用app记录天气',
  '密码',
  '他说',
  '用户',
  '回答',
  '無',
  'の',
  '지시',
  '😀',
];

/** How growth is measured. */
export interface GrowthOptions {
  /** UTF-16 units of the longest text that a release is tried with. */
  readonly longest?: number;
}

const SHORTEST = 2_000;
const LONGEST = 64_000;
/** The longest text otherwise: what is quadratic takes a tenth of a second and more there too. */
const SHORT_RUN_LONGEST = 16_000;
/** A shorter time, in milliseconds, tells nothing of growth; at the longest text it tells that there is nothing to fear. */
const LEAST_MS = 40;
/** What four times the text may take; linear is 4, quadratic 16. */
const MOST_GROWTH = 10;
const TRIES = 3;
/** How often a long and a short text are measured one after the other where growth is feared. */
const PAIRS = 5;

/** Processor time, which other programs on the machine do not lengthen as they do the time on the wall. */
function measure(run: (text: string) => unknown, text: string): number {
  const start = process.cpuUsage();
  run(text);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

const fastest = (run: (text: string) => unknown, text: string): number =>
  Math.max(1, Math.min(...Array.from({ length: TRIES }, () => measure(run, text))));

/**
 * The middle of how much longer the long text takes, each time measured next to the short one: what slows the machine for a
 * while slows both.
 */
function compare(run: (text: string) => unknown, long: string, short: string): number {
  const ratios = Array.from({ length: PAIRS }, () => fastest(run, long) / fastest(run, short));
  return ratios.sort((a, b) => a - b)[Math.floor(PAIRS / 2)] ?? 0;
}

/**
 * How much longer a function takes for four times the repetitions of a unit, measured where it takes long enough to tell;
 * undefined when even the longest text takes no time to speak of. A growth of some 4 is linear, one of 16 quadratic.
 */
export function measureGrowth(
  run: (text: string) => unknown,
  unit: string,
  { longest = LONGEST }: GrowthOptions = {},
): number | undefined {
  const toText = (length: number): string => `${unit.repeat(Math.ceil(length / unit.length))}x`;
  // The first runs of an expression are interpreted, and so slower than in proportion.
  fastest(run, toText(SHORTEST));
  const most = Math.min(longest, toRounds(SHORT_RUN_LONGEST, longest));
  for (let length = SHORTEST; length <= most; length *= 2) {
    const time = measure(run, toText(length));
    if (time < LEAST_MS) continue;
    const growth = time / fastest(run, toText(length / 4));
    if (growth <= MOST_GROWTH) return growth;
    // What is feared is measured again at twice the length: a function that cuts long texts into windows costs more in
    // proportion from the second window on, once; what is quadratic does so at any length.
    return compare(run, toText(length * 2), toText(length / 2));
  }
  return undefined;
}

/** The repeated units for which a function takes longer than in proportion, each with its growth at four times the length. */
export function findSuperlinear(
  run: (text: string) => unknown,
  { units = REPEATED_UNITS, ...options }: GrowthOptions & { readonly units?: readonly string[] } = {},
): readonly string[] {
  return units.flatMap((unit) => {
    const growth = measureGrowth(run, unit, options) ?? 0;
    // What is slow once may have met a pause of the machine; what is quadratic is so each time.
    const again = growth > MOST_GROWTH ? (measureGrowth(run, unit, options) ?? 0) : 0;
    return again > MOST_GROWTH ? [`${JSON.stringify(unit)} (${again.toFixed(1)} times)`] : [];
  });
}
