import { type Moment, parseMoment } from '@contextloom/retrieval/time';
import type { Out, Reader, Sample, Sink } from '../reader.ts';
import { createLineSink } from '../sinks/line-sink.ts';
import { countFrontMatter, readFrontMatter } from '../text/front-matter.ts';
import { isSpoken } from '../text/text-lines.ts';
import { createNoteGraph } from './note-graph.ts';

const HEADING = /^#{1,6}\s+(.{1,120})$/u;
const WEEKDAY =
  /^[\s,，(（]*(?:(?:星期|周)[一二三四五六日天]|(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tue|wed|thu|fri|sat|sun)\b)[)）]?/iu;
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

/** What a dated heading says besides its day, and the weekday and clock next to it. */
function toHeadingWords(line: string): string {
  const title = (HEADING.exec(line.trimEnd())?.[1] ?? '').replace(/[#*_[\]]/gu, '').trim();
  if (parseMoment(title) !== undefined) return '';
  return title
    .replace(
      /^(?:\d{4}(?:[-/.]\d{1,2}[-/.]\d{1,2}|年\d{1,2}月\d{1,2}日)|\d{1,2}月\d{1,2}日)(?:[T ]\d{1,2}:\d{2}(?::\d{2})?)?/u,
      '',
    )
    .replace(WEEKDAY, '')
    .replace(/^[\s,，:：–—-]+/u, '')
    .trim();
}

/** The day of a heading that tells no year, `## 3月5日`, in the year of the day before it. */
function toDayOfYear(line: string, before: Moment | undefined): Moment | undefined {
  const [, month, date] = /^#{1,6}\s+(\d{1,2})月(\d{1,2})日(?:\s|$|[（(，,：:])/u.exec(line.slice(0, 120)) ?? [];
  return before === undefined || month === undefined
    ? undefined
    : parseMoment(`${before.slice(0, 4)}年${month}月${date}日`);
}

/** The day that a file of a diary is named after: `2024-03-05.md`; Logseq's journals are `2024_03_05.md`. */
function toFileDate(file: string): Moment | undefined {
  const [day] =
    /\d{4}-\d{2}-\d{2}(?=[^/\\]*$)/u.exec(file) ?? /(?<![^/\\])\d{4}_\d{2}_\d{2}(?=\.\w{2,8}$)/u.exec(file) ?? [];
  return day === undefined ? undefined : parseMoment(day.replaceAll('_', '-'));
}

/** Notion ends the names of its pages with their ids: `Tea 0123456789abcdef0123456789abcdef.md`. */
const NOTION_FILE = /\s[0-9a-f]{32}\.md$/u;
const PROPERTY = /^(?<key>\p{L}[^:\n]{0,60}): \S/u;
const DATED_KEY = /^(?:created(?: time| at)?|date(?: created)?|创建时间|创建日期|日期|建立時間|作成日時?|Erstellt)$/iu;

/** The title and the properties of a page of Notion, which stand above its words; no lines of other files. */
function readNotionHead({ lines, file }: Sample): { readonly count: number; readonly date: Moment | undefined } {
  if (!NOTION_FILE.test(file) || !/^\uFEFF?# \S/u.test(lines[0] ?? '') || lines[1]?.trim() !== '')
    return { count: 0, date: undefined };
  const end = lines.slice(2).findIndex((line) => !PROPERTY.test(line));
  const properties = end <= 0 ? [] : lines.slice(2, 2 + end);
  const dated = properties.find((line) => DATED_KEY.test(PROPERTY.exec(line)?.groups?.['key'] ?? ''));
  const date = dated === undefined ? undefined : parseMoment(dated.slice(dated.indexOf(':') + 1).trim());
  return { count: 1 + (properties.length > 0 ? properties.length + 1 : 0), date };
}

function createNotes(out: Out, sample: Sample, fallback: Moment | undefined): Sink {
  const notion = readNotionHead(sample);
  const above = countFrontMatter(sample.lines) || notion.count;
  const { date = notion.date, title, type, permalink } = readFrontMatter(sample.lines);
  const name = sample.file.split(/[/\\]/u).at(-1);
  let day = date ?? toFileDate(sample.file) ?? fallback;
  let section: string[] = [];
  let first = 1;
  const shown = title ?? name?.replace(/(?:\s[0-9a-f]{32})?\.\w{2,8}$/u, '');
  const graph = permalink === undefined ? undefined : createNoteGraph(out, { name: shown ?? permalink, type });
  out.conversation({ title: shown });
  const flush = (): void => {
    const text = section.join('\n').trim();
    section = [];
    // A note is its writer's own words; a heading alone is none.
    if (text === '') return;
    if (/^#{1,6}\s+\S[^\n]*$/u.test(text)) out.leftOut('heading without words', `line ${first}`, text);
    else out.turn({ role: 'user', text, ...toNoteTime(day) });
  };
  return createLineSink(
    (line, number) => {
      if (number <= above) {
        if (line.trim() !== '') out.leftOut('property of a note', `line ${number}`, line);
        return;
      }
      if (section.length === 0) first = number;
      graph?.line(line);
      const heading = toHeadingDate(line) ?? toDayOfYear(line, day);
      if (heading === undefined) section.push(line);
      else {
        flush();
        day = heading;
        // What stands in it besides the day is said of that day.
        const more = toHeadingWords(line);
        if (more !== '') section.push(more);
      }
    },
    () => {
      flush();
      graph?.end();
    },
  );
}

/** Whether a heading of a text is a day. */
export const hasDays = (lines: readonly string[]): boolean =>
  lines.some((line) => line.startsWith('#') && toHeadingDate(line) !== undefined);

/** Whether most of a text are turns of people. */
export function isChat(lines: readonly string[]): boolean {
  const filled = lines.slice(countFrontMatter(lines)).filter((line) => line.trim() !== '');
  const spoken = filled.filter(isSpoken).length;
  return spoken >= 2 && 3 * spoken >= filled.length;
}

/** Whether more than half of what stands below headings are turns of people: a word before a colon alone may be a note's. */
function isMostlySpoken(lines: readonly string[]): boolean {
  const body = lines.filter((line) => line.trim() !== '' && !HEADING.test(line));
  return 2 * body.filter(isSpoken).length > body.length;
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
  detect: (sample) => {
    const { lines, file } = sample;
    const head = readNotionHead(sample).count;
    if (isChat(lines.slice(head))) return false;
    if (head > 0) return true;
    if (countFrontMatter(lines) > 0) return true;
    const dated = lines.filter((line) => line.startsWith('#') && toHeadingDate(line) !== undefined).length;
    const headings = lines.filter((line) => HEADING.test(line)).length;
    const isDiary = /\.(?:md|markdown)$/iu.test(file) && toFileDate(file) !== undefined;
    return isDiary || (dated > 0 && 2 * dated >= headings && !isMostlySpoken(lines));
  },
  read: (out, { sample, date }) => {
    out.note("notes are read as their writer's own words");
    return createNotes(out, sample, date);
  },
};
