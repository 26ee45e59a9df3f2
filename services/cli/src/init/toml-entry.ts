import { isDeepStrictEqual } from 'node:util';
import { ContextloomError } from '@contextloom/contracts';
import { parse, stringify, type TomlTable } from 'smol-toml';

/** Where a table of a TOML file stands. */
export interface TomlPlace {
  readonly file: string;
  readonly section: string;
  readonly name: string;
}

/** Parses TOML. @throws ContextloomError `invalid`, naming the file */
export function parseToml(text: string, file: string): TomlTable {
  try {
    return parse(text);
  } catch (cause) {
    throw new ContextloomError('invalid', `${file} is not valid TOML`, { field: file, cause });
  }
}

/** The lines of a table and of those in it; blank lines and comments in front of the next table belong to that one. */
function findLines(lines: readonly string[], { section, name }: TomlPlace): readonly [start: number, end: number] {
  const isOwn = (line: string): boolean =>
    new RegExp(`^\\s*\\[\\s*${section}\\s*\\.\\s*"?${name}"?\\s*[\\].]`).test(line);
  const start = lines.findIndex(isOwn);
  const next = lines.findIndex((line, at) => at > start && /^\s*\[/.test(line) && !isOwn(line));
  let end = next === -1 ? lines.length : next;
  while (end > start + 1 && /^(?:#|$)/.test((lines[end - 1] ?? '').trim())) end -= 1;
  return [start, end];
}

/** Answers what was made, if it is what was wanted. @throws ContextloomError `invalid` */
function checkTables(after: string, wanted: TomlTable, { file, section, name }: TomlPlace): string {
  // Cloned, since the library's tables have no prototype.
  if (isDeepStrictEqual(structuredClone(parseToml(after, file)), structuredClone(wanted))) return after;
  const message = `${file} has ${section}.${name} in a form that cannot be changed here: remove it first`;
  throw new ContextloomError('invalid', message, { field: `${section}.${name}` });
}

const withEntry = (tables: TomlTable, section: string, name: string, entry: unknown) => ({
  ...tables,
  [section]: { ...Object(tables[section]), [name]: entry },
});

/**
 * Writes one table of a table, such as `[mcp_servers.contextloom]`; all other lines stay as they are, comments included.
 * @throws ContextloomError `invalid` for a file that is no TOML, or that has the table in a form that lines cannot be replaced in
 */
export function setTomlEntry(text: string, entry: Readonly<Record<string, unknown>>, place: TomlPlace): string {
  const { file, section, name } = place;
  const before = parseToml(text, file);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const written = stringify({ [section]: { [name]: entry } })
    .trim()
    .split('\n');
  const lines = text.split(/\r?\n/);
  const [start, end] = findLines(lines, place);
  if (start === -1) {
    while (lines.at(-1)?.trim() === '') lines.pop();
    lines.push(...(lines.length > 0 ? [''] : []), ...written, '');
  } else lines.splice(start, end - start, ...written);
  return checkTables(lines.join(eol), withEntry(before, section, name, entry), place);
}

/**
 * Takes a table out that {@link setTomlEntry} wrote, with the blank line in front of it; all other lines stay as they are.
 * @throws ContextloomError `invalid` for a file that is no TOML, or that has the table in a form that lines cannot be taken out of
 */
export function removeTomlEntry(text: string, place: TomlPlace): string {
  const { file, section, name } = place;
  const { [section]: tables, ...others } = parseToml(text, file);
  const { [name]: _, ...rest } = Object(tables);
  const lines = text.split(/(?<=\n)/u);
  const [start, end] = findLines(lines, place);
  const from = start > 0 && lines[start - 1]?.trim() === '' ? start - 1 : start;
  if (start !== -1) lines.splice(from, end - from);
  const isLeft = Object.keys(rest).length > 0 || new RegExp(`^\\s*\\[\\s*${section}\\s*\\]`, 'mu').test(text);
  return checkTables(lines.join(''), isLeft ? { ...others, [section]: rest } : others, place);
}
