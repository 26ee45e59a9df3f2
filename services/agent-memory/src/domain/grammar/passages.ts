import { ContextloomError } from '@contextloom/contracts';
import { isDate } from '@contextloom/contracts/agent-memory';
import { fromLogFile, hasEntries } from '../model/files.ts';
import { fromTypeLabel, isTitled, titles } from '../model/titles.ts';
import { type Block, parseBlocks } from './blocks.ts';
import { parseEntries } from './entry-file.ts';
import { type ParsedEntry, toContent } from './parsed-entry.ts';
import { isAsMeant, splice } from './splice.ts';

/** The sign of a list's item, whatever kind of list. */
const itemSign = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)/;
const isWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
const SEPARATOR = ' › ';

/** A part of a block that says one thing: where it begins, and where its words do. */
interface Part {
  readonly start: number;
  readonly bodyStart: number;
  readonly end: number;
}

/** The items of a list, each with what is nested in it; another block is one part. */
function toParts(text: string, { kind, start, end }: Block): readonly Part[] {
  if (kind !== 'list') return [{ start, bodyStart: start, end }];
  const parts: { start: number; bodyStart: number; end: number }[] = [];
  let at = start;
  for (const line of text.slice(start, end).split(/(?<=\r\n|\n|\r(?!\n))/)) {
    const sign = itemSign.exec(line)?.[0];
    const last = parts.at(-1);
    if (sign !== undefined || last === undefined)
      parts.push({ start: at, bodyStart: at + (sign?.length ?? 0), end: at });
    at += line.length;
    const open = parts.at(-1);
    if (open !== undefined && line.trim() !== '') open.end = at - (line.length - line.trimEnd().length);
  }
  return parts;
}

/** What the headings above a passage say of it; the title of the file itself says nothing. */
function toPlace(headings: readonly Block[], fileDate: string): Pick<ParsedEntry, 'date' | 'label' | 'contentType'> {
  const names = headings.filter(({ depth }) => depth > 1).map(({ title }) => title.trim());
  const said = names.filter((name) => name !== '' && !isDate(name) && !isTitled(name, titles.entries));
  const contentType = said.length === 1 ? fromTypeLabel(said[0] ?? '') : undefined;
  return {
    date: fileDate === '' ? (names.findLast(isDate) ?? '') : fileDate,
    label: contentType !== undefined || said.length === 0 ? undefined : said.join(SEPARATOR),
    contentType: contentType ?? 'manual',
  };
}

/** The words of a part; the lines of an item begin as they would alone. */
function toWords(text: string, { start, bodyStart, end }: Part): string {
  const words = toContent(text.slice(bodyStart, end), undefined);
  return bodyStart === start ? words : words.replace(new RegExp(`\\n[ \\t]{1,${bodyStart - start}}`, 'g'), '\n');
}

/**
 * What MEMORY.md or a daily log says outside of its entries, in the order of the file: paragraphs, items of lists, code, the
 * summary, with the headings above as label. Outside of a day in MEMORY.md it has no date.
 */
export function parsePassages(path: string, text: string, entries: readonly ParsedEntry[]): readonly ParsedEntry[] {
  if (!hasEntries(path)) return [];
  const fileDate = fromLogFile(path) ?? '';
  const passages: ParsedEntry[] = [];
  const headings: Block[] = [];
  let next = 0;
  for (const block of parseBlocks(text)) {
    while ((entries[next]?.end ?? Number.POSITIVE_INFINITY) <= block.start) next += 1;
    if (block.kind === 'heading') {
      while ((headings.at(-1)?.depth ?? 0) >= block.depth) headings.pop();
      headings.push(block);
      continue;
    }
    const isInEntry = (entries[next]?.start ?? Number.POSITIVE_INFINITY) <= block.start;
    if (isInEntry || block.kind === 'yaml' || block.kind === 'html') continue;
    const place = toPlace(headings, fileDate);
    for (const part of toParts(text, block)) {
      const content = toWords(text, part);
      if (!isWords(content)) continue;
      passages.push({
        ...part,
        ...place,
        content,
        time: undefined,
        mark: undefined,
        markStart: part.start,
        inText: true,
      });
    }
  }
  return passages;
}

/**
 * Replaces one passage, or takes it out; all else stays as it is.
 * @throws ContextloomError `conflict` when the file would then be read otherwise
 */
export function editPassage(path: string, text: string, passage: ParsedEntry, content: string | undefined): string {
  const entries = parseEntries(path, text);
  const indent = '\n'.padEnd(passage.bodyStart - passage.start + 1);
  const written =
    content === undefined
      ? text.slice(0, passage.start) + text.slice(passage.end)
      : splice(text, passage.bodyStart, passage.end, content.replaceAll('\n', indent));
  const others = parsePassages(path, text, entries).filter(({ start }) => start !== passage.start);
  const expected = [...others.map((one) => one.content), ...(content === undefined ? [] : [content])];
  const now = parsePassages(path, written, parseEntries(path, written)).map((one) => one.content);
  const isSame = now.length === expected.length && now.sort().join('\0') === expected.sort().join('\0');
  if (isSame && isAsMeant(path, written, entries)) return written;
  const message = `this text of ${path} is no entry of its own, and cannot be changed alone: edit the file`;
  throw new ContextloomError('conflict', message, { field: 'id' });
}
