import { createFileNames, createNameFinder, toNoteName, writeLink } from './note-links.ts';
import { readSaidBy, type Trust, toLeastTrust, trustSchema } from './trust.ts';
import type { JsonObject } from './values/json.ts';

/** A memory as other programs take it. */
export interface OpenNote {
  readonly id: string;
  /** What it is: `fact`, `event`, `note`, … */
  readonly type: string;
  readonly text: string;
  /** ISO 8601. */
  readonly time?: string | undefined;
  readonly saidBy?: Trust | undefined;
  /** Of a person or thing: what it is called, which its note is named by. */
  readonly name?: string | undefined;
  /** The ids of the people and things that it is about, besides those that its text names. */
  readonly about?: readonly string[] | undefined;
}

/** A memory as `get_memory` answers it. */
export interface WholeMemory {
  readonly id: string;
  readonly text: string;
  readonly time?: string | undefined;
  readonly details: object;
}

/** A memory with what other programs are told of it. */
export function toOpenNote({ id, text, time, details }: WholeMemory): OpenNote {
  const type = id.slice(0, id.indexOf(':'));
  const { metadata, name, related_entity_ids: related }: Partial<Record<string, unknown>> = { ...details };
  const speakers = [details, Object(metadata)].flatMap((one) => readSaidBy(one as JsonObject));
  // Agents keep what they wrote themselves where nothing else is said.
  const saidBy = toLeastTrust(speakers) ?? (type === 'agent' || type === 'project' ? 'assistant' : 'user');
  const called = type === 'entity' && typeof name === 'string' ? toNoteName(name) : '';
  return {
    ...{ id, type, text, time, saidBy },
    ...(called !== '' && { name: called }),
    ...(Array.isArray(related) && { about: related.map((one) => `entity:${String(one)}`) }),
  };
}

const LINE_BREAK = /\r\n|\r|\n/u;
const MAX_TITLE = 60;
const MAX_SLUG = 40;

/** The beginning of its first line. */
function toTitle({ text, name }: OpenNote): string {
  if (name !== undefined) return name;
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

/** A note, where it stands in a bundle, and its links to the people and things that it is about. */
export interface PlacedNote {
  readonly note: OpenNote;
  readonly path: string;
  readonly links: readonly string[];
}

/** Gives each note a place, those of people and things by their names, and links the others to these. */
export function placeNotes(notes: readonly OpenNote[]): readonly PlacedNote[] {
  const paths = notes.map((note, at) => toNotePath(note, at + 1));
  const toFile = createFileNames(paths.map((path) => path.slice(path.lastIndexOf('/') + 1, -'.md'.length)));
  const links = new Map<string, string>();
  const byName = new Map<string, string>();
  for (const [at, { id, type, name }] of notes.entries()) {
    if (name === undefined) continue;
    const file = toFile(name);
    paths[at] = `${type}/${file}.md`;
    links.set(id, writeLink(file, name));
    if (!byName.has(name)) byName.set(name, id);
  }
  const findNames = createNameFinder(byName.keys());
  return notes.map((note, at) => {
    const named = findNames(note.text).map((name) => byName.get(name));
    const ids = new Set([...(note.about ?? []), ...named].filter((id) => id !== note.id));
    const path = paths[at] ?? toNotePath(note, at + 1);
    return { note, path, links: [...ids].flatMap((id) => links.get(id ?? '') ?? []) };
  });
}

/**
 * A memory as a file of the Open Knowledge Format, which Obsidian and other programs for Markdown notes open too. Texts in front
 * matter are those of JSON, which YAML has too. Source: https://github.com/GoogleCloudPlatform/knowledge-catalog/blob/main/okf/SPEC.md,
 * version 0.2.
 * Whom and what it is about stands in a property, so that its words stay as they were said.
 */
export function writeNote(note: OpenNote, links: readonly string[] = []): string {
  const { id, type, text, time, saidBy, name } = note;
  const properties = {
    type,
    title: toTitle(note),
    aliases: name === undefined ? [] : [name],
    timestamp: time ?? '',
    author: saidBy ?? trustSchema.options[0],
    about: links,
    contextloom_id: id,
  };
  const lines = Object.entries(properties).flatMap(([key, value]) =>
    value === undefined || value.length === 0 ? [] : [`${key}: ${JSON.stringify(value)}`],
  );
  return `---\n${lines.join('\n')}\n---\n\n${text.trim()}\n`;
}

/** The list of a bundle's files, at its root. */
export function writeNoteIndex(notes: readonly Pick<PlacedNote, 'path' | 'note'>[]): string {
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
