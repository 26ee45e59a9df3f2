import type { ContentType } from '@contextloom/contracts/project-memory';
import { inEachLanguage } from '@contextloom/languages';
import { findContentWords, splitSentences } from '@contextloom/retrieval';
import type { Verdict } from '../memory.ts';

const tags = Object.values(inEachLanguage(({ project }) => project.tags));
const words = new Set(tags.flatMap(({ stopWords }) => stopWords.trim().split(/\s+/u)));

/** Whether a lower-cased word tells nothing about what a note is about. */
const isTagless = (word: string): boolean => words.has(word);

/** What is said of a memory in short. */
export interface Analysis {
  readonly summary: string;
  readonly tags: readonly string[];
}

/** One side of an arbitration. */
export interface Side {
  readonly contentType: ContentType;
  readonly summary: string;
}

/** Reads memories: a model where there is one, written rules elsewhere. Answers in any case. */
export interface Analyst {
  readonly analyse: (content: string) => Promise<Analysis>;
  /** Absent where there is no model. */
  readonly arbitrate?: (stored: Side, incoming: Side) => Promise<Verdict>;
}

/** Longest summary, in UTF-16 code units. */
export const MAX_SUMMARY_LENGTH = 300;
const MIN_TAGS = 3;
const MAX_TAGS = 10;
/** How many tags written rules give. */
const USUAL_TAGS = 5;
const MAX_TAG_LENGTH = 40;
/** How many characters of a text the rules read. */
const READ_LENGTH = 20_000;
const LONE = new Set(tags.flatMap(({ stopCharacters }) => [...stopCharacters]));
/** What Markdown puts before the words of a line. */
const LEAD_IN = /^[\s#>*+`~|-]+/;

/** The beginning of a text in at most so many UTF-16 code units, no character cut in two. */
function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** A summary on one line, of the length that is kept, without what no database takes: models write all sorts of characters. */
export function toSummary(text: string): string {
  return cutText(text.replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim(), MAX_SUMMARY_LENGTH);
}

/** The first sentences of a text as its summary. */
export function summarizeByRules(content: string): string {
  const sentences = content
    .slice(0, READ_LENGTH)
    .split('\n')
    .map((line) => line.replace(LEAD_IN, ''))
    .filter((line) => line.trim() !== '')
    .flatMap((line) => splitSentences(line));
  let summary = '';
  for (const sentence of sentences) {
    const longer = `${summary} ${sentence.trim()}`.trim();
    if (summary !== '' && longer.length > MAX_SUMMARY_LENGTH) break;
    summary = longer;
  }
  return toSummary(summary === '' ? content : summary);
}

const chineseWords = new Intl.Segmenter('zh', { granularity: 'word' });

/**
 * The Chinese words of a text. What the dictionary of the runtime does not know comes as single characters: two of them side by
 * side are taken for a word (缓 and 存), three and more are not.
 */
function findChineseWords(text: string): readonly string[] {
  const words: string[] = [];
  let run = '';
  const endRun = (): void => {
    if (run.length === 2) words.push(run);
    run = '';
  };
  for (const { segment } of chineseWords.segment(text)) {
    if (/^\p{Script=Han}$/u.test(segment) && !LONE.has(segment)) {
      run += segment;
      continue;
    }
    endRun();
    if (/^\p{Script=Han}{2,}$/u.test(segment)) words.push(segment);
  }
  endRun();
  return words;
}

/** The words that a text uses most, as its tags: the first ones where all come once. */
export function tagByRules(content: string): readonly string[] {
  const read = content.slice(0, READ_LENGTH);
  const words = findContentWords(read).map(({ word }) => word);
  const counts = new Map<string, number>();
  for (const word of [...words, ...findChineseWords(read)]) {
    if (word.length > 1 && !/^\d+$/.test(word) && !isTagless(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, USUAL_TAGS)
    .map(([word]) => word);
}

const isTag = (tag: string): boolean => tag !== '' && tag.length <= MAX_TAG_LENGTH && !/[\p{Cc}\p{Cs}]/u.test(tag);

/** At most ten different tags in lower case, completed from the text's own words where a model gave fewer than three. */
export function toTags(given: readonly string[], content: string): readonly string[] {
  const clean = given.map((tag) => tag.trim().replace(/^#/, '').toLowerCase()).filter(isTag);
  const tags = new Set(clean);
  if (tags.size < MIN_TAGS) {
    for (const tag of tagByRules(content)) if (tags.size < MIN_TAGS || clean.length === 0) tags.add(tag);
  }
  return [...tags].slice(0, MAX_TAGS);
}

/** Summary and tags by written rules. */
export function analyseByRules(content: string): Analysis {
  return { summary: summarizeByRules(content), tags: toTags([], content) };
}
