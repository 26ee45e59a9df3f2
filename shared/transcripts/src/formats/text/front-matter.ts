import { readLink } from '@contextloom/contracts';
import { type Moment, parseMoment } from '@contextloom/retrieval/time';
import { parse } from 'yaml';
import { isRecord } from '../read.ts';

const DATE_KEYS = ['date', 'created', 'created_at', 'timestamp', 'day', '日期', '创建时间'];
/** Front matter is short. */
const MAX_LINES = 200;

/** What the front matter of a Markdown file tells. */
export interface FrontMatter {
  readonly date: Moment | undefined;
  readonly title: string | undefined;
  /** What kind of note it is. */
  readonly type: string | undefined;
  /** The address that basic-memory gives each of its notes. */
  readonly permalink: string | undefined;
  readonly description: string | undefined;
  readonly author: string | undefined;
  /** When it last changed, as the Open Knowledge Format has it. */
  readonly timestamp: string | undefined;
  /** The names of its wiki links to what it is about. */
  readonly about: readonly string[];
  /** Which version of the Open Knowledge Format a bundle is. */
  readonly okfVersion: string | undefined;
}

/** How many lines at the beginning are front matter, with both of its rules; 0 without. */
export function countFrontMatter(lines: readonly string[]): number {
  if (!/^\uFEFF?---\s*$/u.test(lines[0] ?? '')) return 0;
  const end = lines.slice(1, MAX_LINES).findIndex((line) => /^(?:---|\.\.\.)\s*$/u.test(line));
  const hasKey = lines.slice(1, end + 1).some((line) => /^[\p{L}_][\p{L}\p{N}_ -]{0,60}:(?:\s|$)/u.test(line));
  return end < 0 || !hasKey ? 0 : end + 2;
}

/** Reads front matter; what is no YAML tells nothing. */
export function readFrontMatter(lines: readonly string[]): FrontMatter {
  const count = countFrontMatter(lines);
  let value: unknown;
  try {
    if (count > 0) value = parse(lines.slice(1, count - 1).join('\n'), { schema: 'failsafe', logLevel: 'error' });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
  const found = isRecord(value) ? value : {};
  const stated = DATE_KEYS.map((key) => found[key]).find((one) => typeof one === 'string');
  const toText = (key: string): string | undefined => {
    const one = found[key];
    return typeof one === 'string' ? one : undefined;
  };
  return {
    date: typeof stated === 'string' ? parseMoment(stated) : undefined,
    title: toText('title'),
    type: toText('type'),
    permalink: toText('permalink'),
    description: toText('description'),
    author: toText('author'),
    timestamp: toText('timestamp'),
    about: [found['about']].flat().flatMap((one) => (typeof one === 'string' ? (readLink(one) ?? []) : [])),
    okfVersion: toText('okf_version'),
  };
}
