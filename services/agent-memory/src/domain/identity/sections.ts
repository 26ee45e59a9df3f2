import { parseBlocks, skipBlankLines, toPlainLines, toSection } from '../grammar/blocks.ts';
import { toNextLine } from '../grammar/parsed-entry.ts';
import { insertBlock, splice } from '../grammar/splice.ts';
import { isTitled, type Title } from '../model/titles.ts';

/** A `## ` section of a file, by its places in the text. */
export interface Section {
  readonly title: string;
  /** Where its text begins and ends, without blank lines around it. */
  readonly start: number;
  readonly end: number;
  /** Its text without blank lines around it, lines end in `\n`. */
  readonly body: string;
}

/** The sections of a file, in its order. */
export function parseSections(text: string): readonly Section[] {
  const blocks = parseBlocks(text);
  return blocks
    .filter(({ kind, depth }) => kind === 'heading' && depth === 2)
    .map((heading) => {
      const from = toNextLine(text, heading.end);
      const source = text.slice(from, toSection(blocks, heading, text).end).trimEnd();
      const blank = skipBlankLines(source);
      const body = toPlainLines(source.slice(blank));
      return { title: heading.title, start: from + blank, end: from + source.length, body };
    });
}

/** The section of a title, in either language. */
export function findSection(text: string, title: Title): Section | undefined {
  return parseSections(text).find((section) => isTitled(section.title, title));
}

const item = /^[ \t]{0,3}[-*+][ \t]+(.*)$/s;

/** The items of the lists in a section, without what is nested in them. */
export function toItems(body: string): readonly string[] {
  return body.split('\n').flatMap((line) => item.exec(line)?.[1]?.trim() || []);
}

/** A `key: value` line; undefined for a text without a colon, and where it belongs to an address. */
export function toPair(text: string): readonly [key: string, value: string] | undefined {
  const [, key, value] = /^([^：:]{1,100})(?:：|:(?!\/\/))[ \t]*(.*)$/su.exec(text) ?? [];
  return key === undefined || value === undefined ? undefined : [key.trim(), value.trim()];
}

/** Writes the body of a section; the section is added at the end when missing. */
export function writeSection(text: string, title: Title, heading: string, body: string): string {
  const section = findSection(text, title);
  if (section === undefined) return insertBlock(text, text.length, `## ${heading}\n${body}`);
  if (section.body === body) return text;
  return splice(text, section.start, section.end, section.body === '' ? `${body}\n` : body);
}

/** A section's body with other items: the first item's place takes them all, every other line stays. */
export function replaceItems(body: string, items: readonly string[], isReplaced: (item: string) => boolean): string {
  const lines = body === '' ? [] : body.split('\n');
  const isOld = lines.map((line) => {
    const found = item.exec(line)?.[1]?.trim();
    return found !== undefined && isReplaced(found);
  });
  const first = isOld.indexOf(true);
  const at = first === -1 ? lines.length : first;
  const written = items.map((one) => `- ${one}`);
  return [
    ...lines.slice(0, at),
    ...written,
    ...lines.slice(at).filter((_line, offset) => isOld[at + offset] !== true),
  ].join('\n');
}
