import { isDate } from '@contextloom/contracts/agent-memory';
import { fromTypeLabel } from '../model/titles.ts';
import { type Block, parseBlocks, toSection } from './blocks.ts';
import { type ParsedEntry, readMark, toContent, toNextLine } from './parsed-entry.ts';

/** A day of MEMORY.md: its heading, and where what stands under it ends. */
export interface ParsedDay {
  readonly date: string;
  readonly start: number;
  readonly bodyStart: number;
  readonly end: number;
  readonly entries: readonly ParsedEntry[];
}

/** `[重要约定] text`; one sign alone is the box of a task, and what is followed by a bracket or colon is a link. */
const label = /^\[([^\]\r\n]{2,60})\](?![([:])[ \t]*/u;

/** Where an entry begins, and the block that begins there; none inside of a paragraph. */
interface Start {
  readonly start: number;
  readonly block: Block | undefined;
}

/** Where entries begin among the blocks under a heading: at marks, at labelled lines, and at the first of all. */
function findStarts(text: string, blocks: readonly Block[]): readonly Start[] {
  const starts: Start[] = [];
  let isMarked = false;
  for (const block of blocks) {
    const source = text.slice(block.start, block.end);
    const isMark = readMark(text, block, block.start).mark !== undefined;
    if (isMark || starts.length === 0) starts.push({ start: block.start, block });
    if (block.kind === 'paragraph') {
      for (const { index } of source.matchAll(/^ {0,3}\[/gm)) {
        const isFirst = isMarked && index === 0;
        const start = block.start + index;
        const isLabelled = !isFirst && label.test(source.slice(index).trimStart());
        if (isLabelled && start !== starts.at(-1)?.start) starts.push({ start, block: undefined });
      }
    }
    isMarked = isMark;
  }
  return starts;
}

function toEntry(text: string, { start, block }: Start, date: string, end: number): ParsedEntry {
  const marked = readMark(text, block, start);
  const body = text.slice(marked.bodyStart, end);
  const [prefix = '', name] = label.exec(body.trimStart()) ?? [];
  const contentType = name === undefined ? undefined : fromTypeLabel(name);
  return {
    date,
    time: undefined,
    contentType: contentType ?? 'manual',
    label: contentType === undefined ? name?.trim() : undefined,
    content: toContent(prefix === '' ? body : body.trimStart().slice(prefix.length), marked.mark),
    ...marked,
    start,
    end,
  };
}

/** Reads MEMORY.md: under each heading of a day, entries that begin with a label; text without one is an entry too. */
export function parseLongTerm(text: string): readonly ParsedDay[] {
  const blocks = parseBlocks(text);
  return blocks.flatMap((heading) => {
    const date = heading.title.trim();
    if (heading.kind !== 'heading' || heading.depth !== 3 || !isDate(date)) return [];
    const { inside, end } = toSection(blocks, heading, text);
    const starts = findStarts(text, inside);
    const entries = starts.map((one, at) => toEntry(text, one, date, starts[at + 1]?.start ?? end));
    return [
      {
        date,
        start: heading.start,
        bodyStart: toNextLine(text, heading.end),
        end,
        entries: entries.filter(({ content }) => content !== ''),
      },
    ];
  });
}
