import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import {
  ContextloomError,
  findFrontMatterTrap,
  MAX_FRONT_MATTER_ALIASES,
  parseInput,
  personaNameSchema,
} from '@contextloom/contracts';
import { parse as parseYaml } from 'yaml';
import { type PersonaSource, parsePersona } from '../domain/persona.ts';
import type { SourceFile } from '../domain/source-file.ts';
import type { SpiritFile } from '../domain/spirit.ts';
import type { PersonaStore } from './persona-store.ts';

/**
 * Separates the YAML front matter of a file from its body. A `---` line opens front matter only at the very start, and only
 * when it contains a mapping or nothing.
 * @throws ContextloomError `invalid`, naming the file, for front matter that is not YAML
 */
export function parseFrontMatter(file: SourceFile): SpiritFile {
  const match = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/my.exec(file.text);
  const frontMatter = match === null ? undefined : (parseMapping(match[1] ?? '', file.path) ?? {});
  const isMapping = typeof frontMatter === 'object' && !Array.isArray(frontMatter);
  if (match === null || !isMapping) return { ...file, frontMatter: {}, body: file.text };
  return { ...file, frontMatter, body: file.text.slice(match[0].length) };
}

function parseMapping(yaml: string, path: string): unknown {
  const trap = findFrontMatterTrap(yaml);
  if (trap !== undefined) throw new ContextloomError('invalid', `${path} front matter ${trap}`, { field: path });
  try {
    return parseYaml(yaml, { maxAliasCount: MAX_FRONT_MATTER_ALIASES });
  } catch (cause) {
    throw new ContextloomError('invalid', `${path} front matter is not valid YAML`, { field: path, cause });
  }
}

/** What the store is built from. */
export interface FolderPersonaStoreOptions {
  /** The folder with one folder for each persona. */
  readonly folder: string;
}

/** Personas as folders: `<name>/persona.json`, `persona.md` or `SPIRIT.md`, `safety.md`, `worldbook/*.json`. */
export function createFolderPersonaStore({ folder }: FolderPersonaStoreOptions): PersonaStore {
  async function names(): Promise<readonly string[]> {
    const entries = await listFolder(folder, folder);
    if (entries === undefined) {
      throw new ContextloomError('not_found', `the personas folder ${folder} does not exist`, { field: 'personas' });
    }
    return entries
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map((entry) => entry.name)
      .filter((name) => personaNameSchema.safeParse(name).success)
      .sort();
  }

  return {
    names,
    load: async (name) => {
      parseInput(personaNameSchema, name, ['persona']);
      const known = await names();
      // Looked up in the listing: on a file system that ignores case, "Uozumi" would open the folder "uozumi".
      if (!known.includes(name)) {
        const others = known.length === 0 ? 'none' : known.join(', ');
        throw new ContextloomError('not_found', `no persona "${name}" in ${folder}; there are: ${others}`, {
          field: 'persona',
        });
      }
      return parsePersona(await readSource(folder, name));
    },
  };
}

async function readSource(folder: string, name: string): Promise<PersonaSource> {
  const read = (...path: readonly string[]) => readText(folder, [name, ...path]);
  const [settings, markdown, spirit, safety] = await Promise.all(
    ['persona.json', 'persona.md', 'SPIRIT.md', 'safety.md'].map((file) => read(file)),
  );
  const text: PersonaSource['text'] | undefined =
    markdown !== undefined
      ? { ...markdown, form: 'markdown' }
      : spirit && { ...parseFrontMatter(spirit), form: 'spirit' };
  if (text === undefined) {
    throw new ContextloomError('invalid', `${name} has neither persona.md nor SPIRIT.md`, { field: name });
  }
  const books = (await listFolder(join(folder, name, 'worldbook'), `${name}/worldbook`)) ?? [];
  const files = books.map((entry) => entry.name).filter((file) => /\.json$/i.test(file) && !file.startsWith('.'));
  const worldBook = await Promise.all(files.sort().map((file) => read('worldbook', file)));
  return { name, settings, text, safety, worldBook: worldBook.filter((file) => file !== undefined) };
}

/** Reads a text file as UTF-8 without its byte order mark; `undefined` for a missing file. */
async function readText(folder: string, path: readonly string[]): Promise<SourceFile | undefined> {
  const shown = path.join('/');
  const target = await orMissing(realpath(join(folder, ...path)), shown);
  if (target === undefined) return undefined;
  if (!target.startsWith((await realpath(folder)) + sep)) {
    throw new ContextloomError('invalid', `${shown} is a link out of the personas folder`, { field: shown });
  }
  // Reading a pipe would wait until another process writes into it.
  if ((await orMissing(stat(target), shown))?.isFile() === false) {
    throw new ContextloomError('invalid', `${shown} is a folder, a pipe or a device, not a file`, { field: shown });
  }
  const bytes = await orMissing(readFile(target), shown);
  return bytes === undefined ? undefined : { path: shown, text: toText(bytes, shown) };
}

function toText(bytes: Uint8Array, shown: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ContextloomError('invalid', `${shown} is not UTF-8 text`, { field: shown, cause });
  }
}

function listFolder(path: string, shown: string) {
  return orMissing(readdir(path, { withFileTypes: true }), shown);
}

/** Returns what a file system call returns, or `undefined` for a missing path. */
async function orMissing<T>(promise: Promise<T>, shown: string): Promise<T | undefined> {
  try {
    return await promise;
  } catch (cause) {
    const code = toErrorCode(cause);
    if (code === 'ENOENT') return undefined;
    throw new ContextloomError('unavailable', `${shown} cannot be read (${code})`, { field: shown, cause });
  }
}

function toErrorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'unknown error';
}
