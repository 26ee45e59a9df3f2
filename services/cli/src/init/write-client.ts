import { constants } from 'node:fs';
import { copyFile, readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { updateFile } from '@contextloom/runtime';
import { setEntry } from '../composition/edit-composition.ts';
import type { McpClient } from './clients.ts';
import { setTomlEntry } from './toml-entry.ts';

/** The server's name in every client's configuration. */
export const SERVER_NAME = 'contextloom';

/** The text of a client's configuration with the server in it. @throws ContextloomError `invalid` for a text that is not of its format */
export function toClientText(
  text: string | undefined,
  entry: Readonly<Record<string, unknown>>,
  { client, file }: { readonly client: McpClient; readonly file: string },
): string {
  const { format, section } = client;
  if (format === 'toml') return setTomlEntry(text ?? '', entry, { file, section, name: SERVER_NAME });
  return setEntry(text?.trim() ? text : '{}\n', { file, section, name: SERVER_NAME }, entry);
}

/** Reads a file; undefined where there is none. */
export async function readIfThere(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (Object(error).code === 'ENOENT') return undefined;
    throw error;
  });
}

/** Copies a file to the first free name next to it, and answers that name. */
async function keepCopy(file: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const copy = `${file}.bak${count === 1 ? '' : count}`;
    try {
      await copyFile(file, copy, constants.COPYFILE_EXCL);
      return copy;
    } catch (error) {
      if (Object(error).code !== 'EEXIST') throw error;
    }
  }
}

/** What a file was before each change of {@link changeFile}, the latest first. */
export async function readCopies(file: string): Promise<readonly string[]> {
  const start = `${basename(file)}.bak`;
  const ends = (await readdir(dirname(file)).catch(() => []))
    .filter((name) => name.startsWith(start) && /^[0-9]*$/.test(name.slice(start.length)))
    .map((name) => Number(name.slice(start.length) || 1));
  const names = ends.sort((a, b) => b - a).map((count) => `${start}${count === 1 ? '' : count}`);
  const texts = await Promise.all(names.map((name) => readIfThere(join(dirname(file), name)).catch(() => undefined)));
  return texts.filter((text) => text !== undefined);
}

/** Changes a file, and keeps a copy of what it was. Answers the name of the copy; undefined where there was no file. */
export async function changeFile(
  file: string,
  toNext: (text: string | undefined) => string,
): Promise<string | undefined> {
  let copy: string | undefined;
  await updateFile(file, async (text) => {
    const next = toNext(text);
    if (text !== undefined) copy = await keepCopy(file);
    return next;
  });
  return copy;
}
