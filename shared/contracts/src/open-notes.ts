import { type Trust, trustSchema } from './trust.ts';

/** A memory as other programs take it. */
export interface OpenNote {
  readonly id: string;
  /** What it is: `fact`, `event`, `note`, … */
  readonly type: string;
  readonly text: string;
  /** ISO 8601. */
  readonly time?: string | undefined;
  readonly saidBy?: Trust | undefined;
}

const LINE_BREAK = /\r\n|\r|\n/u;
const MAX_TITLE = 60;
const MAX_SLUG = 40;

/** The beginning of its first line. */
function toTitle({ text }: OpenNote): string {
  const [line = ''] = text.trim().split(LINE_BREAK);
  const signs = [...line];
  return signs.length <= MAX_TITLE ? line : `${signs.slice(0, MAX_TITLE - 1).join('')}…`;
}

/** Where a note stands in a bundle: a name that a person can read, and a number that no other has. */
export function toNotePath(note: OpenNote, number: number): string {
  const words =
    toTitle(note)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const slug = [...words.join('-')].slice(0, MAX_SLUG).join('');
  return `${note.type}/${String(number).padStart(5, '0')}${slug === '' ? '' : `-${slug}`}.md`;
}

/**
 * A memory as a file of the Open Knowledge Format, which Obsidian and other programs for Markdown notes open too. Texts in front
 * matter are those of JSON, which YAML has too. Source: https://github.com/GoogleCloudPlatform/knowledge-catalog/blob/main/okf/SPEC.md,
 * version 0.2.
 */
export function writeNote(note: OpenNote): string {
  const { id, type, text, time, saidBy } = note;
  const properties = {
    type,
    title: toTitle(note),
    timestamp: time ?? '',
    author: saidBy ?? trustSchema.options[0],
    contextloom_id: id,
  };
  const lines = Object.entries(properties).flatMap(([key, value]) =>
    value === '' ? [] : [`${key}: ${JSON.stringify(value)}`],
  );
  return `---\n${lines.join('\n')}\n---\n\n${text.trim()}\n`;
}

/** The list of a bundle's files, at its root. */
export function writeNoteIndex(notes: readonly { readonly path: string; readonly note: OpenNote }[]): string {
  const lines = notes.map(({ path, note }) => {
    const title = toTitle(note).replace(/[[\]\\]/gu, '\\$&');
    return `* [${title}](${path.split('/').map(encodeURIComponent).join('/')})`;
  });
  return `---\nokf_version: "0.2"\n---\n\n# Memories\n\n${lines.join('\n')}\n`;
}

/**
 * A memory as a line of the list that Claude and other assistants take in; what is longer goes on in lines that are indented.
 * Source: https://support.claude.com/en/articles/12123587-import-and-export-your-memory-from-claude
 */
export function writeMemoryLine({ text, time }: Pick<OpenNote, 'text' | 'time'>): string {
  return `[${time?.slice(0, 10) ?? 'unknown'}] - ${text.trim().split(LINE_BREAK).join('\n  ')}\n`;
}
