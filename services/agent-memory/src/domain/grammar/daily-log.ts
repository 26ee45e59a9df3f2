import { fromTypeLabel, isTitled, titles } from '../model/titles.ts';
import { type Block, parseBlocks, toPlainLines, toSection } from './blocks.ts';
import { type ParsedEntry, readMark, toContent, toNextLine } from './parsed-entry.ts';

/** A daily log, read. */
export interface ParsedDailyLog {
  readonly entries: readonly ParsedEntry[];
  /** The text of the section of that name; undefined when it is missing or empty. */
  readonly summary: string | undefined;
  /** Where the section of entries ends; undefined when it is missing. */
  readonly entriesEnd: number | undefined;
  /** Where the first section begins; undefined without sections. */
  readonly firstSection: number | undefined;
  /** The places of the summary's heading and section. */
  readonly summarySection: { readonly start: number; readonly bodyStart: number; readonly end: number } | undefined;
}

const heading = /^([01]?\d|2[0-3])[:：]([0-5]\d)(?:[:：]([0-5]\d))?(?:[ \t]*[-–—][ \t]*(.*))?$/su;

function toEntry(text: string, blocks: readonly Block[], block: Block, date: string): ParsedEntry | undefined {
  const [whole, hour = '', minute, second, label = ''] = heading.exec(block.title) ?? [];
  if (block.depth !== 3 || whole === undefined) return undefined;
  const { inside, end } = toSection(blocks, block, text);
  const marked = readMark(text, inside[0], toNextLine(text, block.end));
  const content = toContent(text.slice(marked.bodyStart, end), marked.mark);
  const contentType = fromTypeLabel(label);
  return {
    date,
    time: `${hour.padStart(2, '0')}:${minute}${second === undefined ? '' : `:${second}`}`,
    contentType: contentType ?? 'manual',
    label: contentType === undefined && label.trim() !== '' ? label.trim() : undefined,
    content,
    ...marked,
    start: block.start,
    end,
  };
}

/** Reads a daily log. A heading without a text under it is no entry yet. */
export function parseDailyLog(text: string, date: string): ParsedDailyLog {
  const blocks = parseBlocks(text);
  const headings = blocks.filter(({ kind }) => kind === 'heading');
  const section = (title: (typeof titles)['entries' | 'summary']) =>
    headings.find((block) => block.depth === 2 && isTitled(block.title, title));
  const entries = headings.flatMap((block) => toEntry(text, blocks, block, date) ?? []);
  const [summary, all] = [section(titles.summary), section(titles.entries)];
  const end = summary && toSection(blocks, summary, text).end;
  const bodyStart = summary && toNextLine(text, summary.end);
  return {
    entries: entries.filter(({ content }) => content !== ''),
    summary: bodyStart === undefined ? undefined : toPlainLines(text.slice(bodyStart, end)).trim() || undefined,
    firstSection: headings.find(({ depth }) => depth === 2)?.start,
    entriesEnd: all && toSection(blocks, all, text).end,
    summarySection:
      summary === undefined || bodyStart === undefined || end === undefined
        ? undefined
        : { start: summary.start, bodyStart, end },
  };
}
