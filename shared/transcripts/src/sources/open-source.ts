import { createReadStream, createWriteStream, type Dirent } from 'node:fs';
import { lstat, mkdtemp, open, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ContextloomError } from '@contextloom/contracts';
import { beginsLikeDatabase, toDatabaseEntry } from './database-source.ts';
import type { Entry, Refused, Source } from './source.ts';
import { openZip } from './zip-source.ts';

/** What may hold a conversation, by the end of its name. */
const TEXT =
  /\.(?:txt|text|log|md|markdown|json|jsonl|ndjson|csv|tsv|vtt|srt|sbv|mbox|eml|html?|xml|enex|af|db|sqlite3?)$/iu;
/** A chat goes on from `messages9.html` in `messages10.html`. */
const byNumber = new Intl.Collator('en', { numeric: true });
/** What programs keep for themselves; the history of aider is a chat all the same. */
const HIDDEN = /^\.(?!aider\.chat\.history\.md$)|^node_modules$/u;

async function toFileEntry(file: string, path: string): Promise<Entry> {
  const { size } = await stat(file);
  if (await beginsLikeDatabase(file)) return toDatabaseEntry(file, path, size);
  return { path, size, open: async () => createReadStream(file) };
}

/** What an archive begins with: its first file, or its end when it holds none. */
const ZIP_MARKS = [0x04034b50, 0x06054b50];

async function beginsLikeZip(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && ZIP_MARKS.includes(buffer.readUInt32LE(0));
  } finally {
    await handle.close();
  }
}

function refuseKind(entry: Dirent): string | undefined {
  // A link may lead anywhere, also to what encloses it.
  if (entry.isSymbolicLink()) return 'a link is not followed';
  return entry.isFile() ? undefined : 'it is no file';
}

async function openFolder(folder: string, name: string): Promise<Source> {
  const entries: Entry[] = [];
  const refused: Refused[] = [];
  const visit = async (at: string): Promise<void> => {
    const found = await readdir(at, { withFileTypes: true });
    for (const entry of found.sort((a, b) => byNumber.compare(a.name, b.name))) {
      if (HIDDEN.test(entry.name)) continue;
      const file = join(at, entry.name);
      const path = relative(folder, file);
      if (entry.isDirectory()) await visit(file);
      else {
        const reason = refuseKind(entry);
        if (reason !== undefined) refused.push({ path, reason });
        else if (TEXT.test(entry.name)) entries.push(await toFileEntry(file, path));
        else
          refused.push({
            path,
            reason: /\.zip$/iu.test(entry.name)
              ? 'an archive in a folder is not opened; name it by itself'
              : 'files of this kind hold no conversation',
          });
      }
    }
  };
  await visit(folder);
  return { name, entries, refused, close: async () => undefined };
}

/** Keeps what comes over standard input in a file, since it is read more than once. */
async function openInput(input: Readable): Promise<Source> {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-import-'));
  const file = join(folder, 'input');
  await pipeline(input, createWriteStream(file, { mode: 0o600 }));
  const source = await openFile(file, 'standard input');
  const close = async (): Promise<void> => {
    await source.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { ...source, close };
}

async function openFile(file: string, name: string): Promise<Source> {
  if (await beginsLikeZip(file)) return openZip(file, name);
  return { name, entries: [await toFileEntry(file, name)], refused: [], close: async () => undefined };
}

/**
 * Opens what a path on the command line stands for; `-` is standard input.
 * @throws ContextloomError `not_found` when there is nothing, `invalid` for what cannot be opened
 */
export async function openSource(path: string, shown: string, input: Readable): Promise<Source> {
  if (shown === '-') return openInput(input);
  try {
    const found = (await lstat(path)).isSymbolicLink() ? await stat(path) : await lstat(path);
    if (found.isDirectory()) return await openFolder(path, shown);
    if (!found.isFile()) throw new ContextloomError('invalid', 'it is neither a file nor a folder');
    return await openFile(path, shown);
  } catch (cause) {
    if (cause instanceof ContextloomError) throw cause;
    const isMissing = typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ENOENT';
    throw new ContextloomError(
      isMissing ? 'not_found' : 'invalid',
      isMissing ? 'there is no such file' : 'it cannot be read',
      { cause },
    );
  }
}
