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

const withEntry = (tables: TomlTable, section: string, name: string, entry: unknown) => ({
  ...tables,
  [section]: { ...Object(tables[section]), [name]: entry },
});

/**
 * Writes one table of a table, such as `[mcp_servers.contextloom]`; all other lines stay as they are, comments included.
 * @throws ContextloomError `invalid` for a file that is no TOML, or that has the table in a form that lines cannot be replaced in
 */
export function setTomlEntry(
  text: string,
  entry: Readonly<Record<string, unknown>>,
  { file, section, name }: TomlPlace,
): string {
  const before = parseToml(text, file);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const written = stringify({ [section]: { [name]: entry } })
    .trim()
    .split('\n');
  const lines = text.split(/\r?\n/);
  const isOwn = (line: string): boolean =>
    new RegExp(`^\\s*\\[\\s*${section}\\s*\\.\\s*"?${name}"?\\s*[\\].]`).test(line);
  const start = lines.findIndex(isOwn);
  if (start === -1) {
    while (lines.at(-1)?.trim() === '') lines.pop();
    lines.push(...(lines.length > 0 ? [''] : []), ...written, '');
  } else {
    const next = lines.findIndex((line, at) => at > start && /^\s*\[/.test(line) && !isOwn(line));
    // Blank lines and comments in front of the next table belong to it.
    let end = next === -1 ? lines.length : next;
    while (end > start + 1 && /^\s*(?:#.*)?$/.test(lines[end - 1] ?? '')) end -= 1;
    lines.splice(start, end - start, ...written);
  }
  const after = lines.join(eol);
  // Cloned, since the library's tables have no prototype.
  const [made, wanted] = structuredClone([parseToml(after, file), withEntry(before, section, name, entry)]);
  if (isDeepStrictEqual(made, wanted)) return after;
  const message = `${file} has ${section}.${name} in a form that cannot be changed here: remove it first`;
  throw new ContextloomError('invalid', message, { field: `${section}.${name}` });
}
