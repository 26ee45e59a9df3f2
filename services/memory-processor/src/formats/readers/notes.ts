import { type Moment, parseMoment } from '@contextloom/retrieval/time';
import { parse } from 'yaml';
import { createLineSink } from '../line-sink.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader, Sink } from '../reader.ts';

const HEADING = /^#{1,6}\s+(.{1,120})$/u;
const DATE_KEYS = ['date', 'created', 'created_at', 'day', '日期', '创建时间'];
/** Front matter is short. */
const MAX_FRONT_MATTER = 200;

/** The date that a heading consists of, or begins with: `## 2024-03-05`, `## 2024年3月5日 星期二`, `# 5 March 2024`. */
function toHeadingDate(line: string): Moment | undefined {
  const title = HEADING.exec(line.trimEnd())?.[1];
  if (title === undefined || !/\d{4}/u.test(title)) return undefined;
  const plain = title.replace(/[#*_[\]]/gu, '').trim();
  const [start] =
    /^\d{4}(?:[-/.]\d{1,2}[-/.]\d{1,2}|年\d{1,2}月\d{1,2}日)(?:[T ]\d{1,2}:\d{2}(?::\d{2})?)?(?![\d-])/u.exec(plain) ??
    [];
  return parseMoment(plain) ?? (start === undefined ? undefined : parseMoment(start));
}

interface FrontMatter {
  readonly date: Moment | undefined;
  readonly title: string | undefined;
}

function readFrontMatter(lines: readonly string[]): FrontMatter {
  let value: unknown;
  try {
    value = parse(lines.join('\n'), { schema: 'failsafe' });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
  const found = isRecord(value) ? value : {};
  const told = DATE_KEYS.map((key) => found[key]).find((one) => typeof one === 'string');
  const { title } = found;
  return {
    date: typeof told === 'string' ? parseMoment(told) : undefined,
    title: typeof title === 'string' ? title : undefined,
  };
}

const hasFrontMatter = (lines: readonly string[]): boolean =>
  /^\uFEFF?---\s*$/u.test(lines[0] ?? '') &&
  lines.slice(1, MAX_FRONT_MATTER).some((line) => /^(?:---|\.\.\.)\s*$/u.test(line));

/** The day that a file of a diary is named after: `2024-03-05.md`. */
function toFileDate(file: string): Moment | undefined {
  const [day] = /\d{4}-\d{2}-\d{2}(?=[^/\\]*$)/u.exec(file) ?? [];
  return day === undefined ? undefined : parseMoment(day);
}

function createNotes(out: Out, file: string, fallback: Moment | undefined): Sink {
  let front: string[] | undefined;
  let day = toFileDate(file) ?? fallback;
  let section: string[] = [];
  const title = file
    .split(/[/\\]/u)
    .at(-1)
    ?.replace(/\.\w{2,8}$/u, '');
  const begin = (own: string | undefined): void => out.conversation({ title: own ?? title });
  const flush = (): void => {
    const text = section.join('\n').trim();
    section = [];
    if (text === '' || /^#{1,6}\s+\S[^\n]*$/u.test(text)) return;
    // A note is its writer's own words.
    out.turn({ role: 'user', text, ...toNoteTime(day) });
  };
  return createLineSink((line, number) => {
    if (number === 1 && /^\uFEFF?---\s*$/u.test(line)) {
      front = [];
      return;
    }
    if (front !== undefined) {
      if (!/^(?:---|\.\.\.)\s*$/u.test(line)) return void front.push(line);
      const { date, title: own } = readFrontMatter(front);
      day = date ?? day;
      front = undefined;
      return begin(own);
    }
    if (number === 1) begin(undefined);
    const heading = toHeadingDate(line);
    if (heading === undefined) section.push(line);
    else {
      flush();
      day = heading;
    }
  }, flush);
}

/** `2024-03-05T19:20:00Z` of a text without an offset is a time on a wall. */
function toNoteTime(day: Moment | undefined) {
  if (day === undefined) return {};
  return day.endsWith('Z') ? { wall: day.slice(0, 19) } : { at: day };
}

/** Markdown notes with front matter, dated headings, or both: each dated part is one entry in its writer's words. */
export const notes: Reader = {
  name: 'notes',
  title: 'Markdown notes',
  detect: ({ lines, file }) => {
    if (hasFrontMatter(lines)) return true;
    const dated = lines.filter((line) => line.startsWith('#') && toHeadingDate(line) !== undefined).length;
    const headings = lines.filter((line) => HEADING.test(line)).length;
    const isDiary = /\.(?:md|markdown)$/iu.test(file) && toFileDate(file) !== undefined;
    return (
      isDiary ||
      (dated > 0 && 2 * dated >= headings && !lines.some((line) => /^[^\s:：#>*-][^:：]{0,30}[:：]\s/u.test(line)))
    );
  },
  read: (out, { file, date }) => {
    out.note("notes are read as their writer's own words");
    return createNotes(out, file, date);
  },
};
