import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ContextloomError } from '@contextloom/contracts';
import { parseJsonc, parseMcpConfig } from '@contextloom/mcp-client';
import { type Environment, updateFile } from '@contextloom/runtime';
import { applyEdits, type FormattingOptions, findNodeAtLocation, getNodeValue, modify, parseTree } from 'jsonc-parser';
import { appendValue } from './append-value.ts';

/** An entry as it is written into a file. */
export type WrittenEntry = Readonly<Record<string, unknown>>;

/** The file that is edited, and the environment that its variables are looked up in. */
export interface EditOptions {
  readonly file: string;
  /** The file whose text a missing one starts from; without it, a composition without servers. */
  readonly template?: string;
  readonly env: Environment;
}

type Entries = Readonly<Record<string, WrittenEntry>>;
type Text = Readonly<Record<'mcpServers' | 'servers', Entries | undefined>>;

/** Entries as they stand in a file, also those that are switched off. @throws ContextloomError `invalid` */
export function readEntries(text: string, file: string): Entries {
  const { mcpServers, servers } = parseText(text, file);
  return { ...mcpServers, ...servers };
}

/**
 * Adds a server; comments, order and everything else stay as they are.
 * @throws ContextloomError `conflict` when there is one of that name, `invalid` when the file could not be read afterwards
 */
export async function addServer(
  name: string,
  entry: WrittenEntry,
  { file, template, env }: EditOptions,
): Promise<void> {
  await updateFile(file, async (known) => {
    const text = known ?? (await readTemplate(template));
    if (readEntries(text, file)[name] !== undefined) {
      throw new ContextloomError('conflict', `${file} has a server "${name}" already: remove it first`, {
        field: 'name',
      });
    }
    const { mcpServers, servers } = parseText(text, file);
    const key = mcpServers === undefined && servers !== undefined ? 'servers' : 'mcpServers';
    const next = insert(text, [key, name], entry);
    parseMcpConfig(next, { env: { ...env, MCP_CONFIG: file }, baseDir: dirname(file), file });
    return next;
  });
}

/** Where an entry stands in a file. */
export interface EntryPlace {
  readonly file: string;
  /** The key of all entries, such as `mcpServers`. */
  readonly section: string;
  readonly name: string;
}

/**
 * Writes an entry into a text, in the place of one of the same name; comments, order and everything else stay as they are.
 * @throws ContextloomError `invalid` for a text that is not JSON
 */
export function setEntry(text: string, { file, section, name }: EntryPlace, entry: WrittenEntry): string {
  parseJsonc(text, file);
  const tree = parseTree(text);
  const known = tree && findNodeAtLocation(tree, [section, name]);
  if (known === undefined) return insert(text, [section, name], entry);
  if (isDeepStrictEqual(getNodeValue(known), entry)) return text;
  return applyEdits(text, modify(text, [section, name], entry, { formattingOptions: detectFormat(text) }));
}

/** Takes a server out. @throws ContextloomError `not_found`, with the names there are */
export async function removeServer(name: string, { file, template }: Omit<EditOptions, 'env'>): Promise<void> {
  await updateFile(file, async (known) => {
    const text = known ?? (await readTemplate(template));
    const { mcpServers, servers } = parseText(text, file);
    const key = mcpServers?.[name] !== undefined ? 'mcpServers' : 'servers';
    if (mcpServers?.[name] === undefined && servers?.[name] === undefined) throw noServer(name, file, text);
    return applyEdits(text, modify(text, [key, name], undefined, {}));
  });
}

const readTemplate = async (template: string | undefined): Promise<string> =>
  template === undefined ? '{\n  "mcpServers": {}\n}\n' : readFile(template, 'utf8');

/** Says which servers there are, when a server is named that does not exist. */
export function noServer(name: string, file: string, text: string): ContextloomError {
  const names = Object.keys(readEntries(text, file)).join(', ') || 'none';
  return new ContextloomError('not_found', `${file} has no server "${name}"; there are: ${names}`, { field: 'name' });
}

function parseText(text: string, file: string): Text {
  const { mcpServers, servers } = Object(parseJsonc(text, file)) as Text;
  return { mcpServers, servers };
}

/** Writes a property behind the last one. The library would lay out that one again, too. */
function insert(text: string, [key, name]: readonly [string, string], entry: WrittenEntry): string {
  const tree = parseTree(text);
  const section = tree && findNodeAtLocation(tree, [key]);
  const last = section?.children?.at(-1);
  if (section === undefined && tree?.type === 'object') return appendValue(text, tree, { [name]: entry }, key);
  if (section?.type === 'object' && last === undefined) return appendValue(text, section, entry, name);
  const formattingOptions = detectFormat(text);
  if (last === undefined) return applyEdits(text, modify(text, [key, name], entry, { formattingOptions }));
  const unit = formattingOptions.insertSpaces === true ? ' '.repeat(formattingOptions.tabSize ?? 2) : '\t';
  const before = text.slice(text.lastIndexOf('\n', last.offset) + 1, last.offset);
  const indent = before.trim() === '' ? before : unit.repeat(2);
  const eol = formattingOptions.eol ?? '\n';
  const lines = `${JSON.stringify(name)}: ${JSON.stringify(entry, null, unit)}`.split('\n');
  const content = `,${eol}${lines.map((line) => `${indent}${line}`).join(eol)}`;
  return applyEdits(text, [{ offset: last.offset + last.length, length: 0, content }]);
}

/** New lines look like those around them. */
function detectFormat(text: string): FormattingOptions {
  const indent = /^[ \t]+(?=")/m.exec(text)?.[0] ?? '  ';
  return {
    insertSpaces: !indent.startsWith('\t'),
    tabSize: indent.length,
    eol: text.includes('\r\n') ? '\r\n' : '\n',
  };
}
