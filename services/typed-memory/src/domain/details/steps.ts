/** Longer texts are read to here, in UTF-16 code units. */
const READ_LENGTH = 20_000;
/** A line that begins with a number, a bullet, or the word for a step. */
const LISTED =
  /^ ?(?:\d{1,3}[.)、．] ?|[①-⑳] ?|[-*•] |step \d{1,3} ?[:.：]? ?|第[一二三四五六七八九十\d]{1,3}步[:：,，]? ?)(?<step>\S.*)$/iu;
/** Where a step begins inside a line. */
const COUNTED = /(?:^|[\s;；.。,，])(?:step \d{1,2}|第[一二三四五六七八九十\d]{1,3}步) ?[:.：,，]? ?/iu;
const NUMBERED = /(?:^|[\s;；。.,，])(?:\d{1,2}[.)、．] ?|[①-⑳])(?=\D)/u;
const WORDS =
  /(?:^|[\s,，;；。.])(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|then|next|after that|finally|lastly|首先|先(?![生前后进])|其次|然后|接着|再(?=[^次见])|最后)[,，:：]? ?/iu;
const ARROW = /→|⇒|=>|->/u;
/** What a step that was cut out of a line neither begins nor ends with. */
const MARKS = new Set(' \n,，;；。.、');

/** One blank for each run of them, so that no expression reads a run twice. */
const toReadable = (text: string): string => text.slice(0, READ_LENGTH).replace(/[^\S\n]+/gu, ' ');
/** What stands before the first colon is a heading. */
const withoutHeading = (text: string): string => text.replace(/^[^\n:：]{0,80}[:：] ?/u, '');

function trimMarks(text: string): string {
  const isMark = (at: number): boolean => MARKS.has(text.charAt(at));
  let [from, to] = [0, text.length];
  while (from < to && isMark(from)) from += 1;
  while (to > from && isMark(to - 1)) to -= 1;
  return text.slice(from, to);
}

const clean = (parts: readonly string[]): readonly string[] => parts.map(trimMarks).filter((part) => part !== '');

/** The parts of a text that its writer calls steps, where nothing else tells them apart. */
export function splitSteps(text: string): readonly string[] {
  const parts = clean(withoutHeading(toReadable(text)).split(/[;；\n]/u));
  return parts.length >= 2 ? parts : [];
}

/** The steps of a text in order; none when it does not read as several steps. */
export function findSteps(text: string): readonly string[] {
  const readable = toReadable(text);
  const listed = readable.split('\n').flatMap((line) => {
    const step = LISTED.exec(line)?.groups?.['step'];
    return step === undefined ? [] : [step.trim()];
  });
  if (listed.length >= 2) return listed;
  const body = withoutHeading(readable);
  for (const separator of [COUNTED, NUMBERED, ARROW, WORDS]) {
    const parts = clean(body.split(separator));
    if (parts.length >= 2) return parts;
  }
  return [];
}
