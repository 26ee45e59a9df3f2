import { createHash } from 'node:crypto';
import { ContextloomError, MAX_LINES, PAGE_LENGTH, parseInput } from '@contextloom/contracts';
import yauzl from 'yauzl';
import { type ArchivedStore, FORMAT, MANIFEST, type Manifest, manifestSchema } from './manifest.ts';

/** An archive, open. */
export interface Archive {
  readonly manifest: Manifest;
  /** Reads an entry to its end. @throws ContextloomError `invalid`, naming an entry that is not what the manifest says */
  readonly check: (store: ArchivedStore) => Promise<void>;
  /** The lines of an entry in pages, each line with its newline. @throws ContextloomError `invalid` */
  readonly pages: (store: ArchivedStore) => AsyncIterable<string>;
  readonly close: () => void;
}

/** How the entries are called that have the records of a user. */
const USER_ENTRY = /^users\/\d+\/[^/]+\.jsonl$/;

/** Longest manifest, in bytes. */
const MAX_MANIFEST = 64 * 1024 * 1024;

const damaged = (path: string, cause?: unknown): ContextloomError =>
  new ContextloomError('invalid', `the archive is damaged at ${path}; nothing was imported from there`, { cause });

/** What keeps a file from being opened; without a code of the system it is what yauzl says of its bytes. */
function toProblem(cause: unknown): string {
  const { code } = Object(cause) as NodeJS.ErrnoException;
  if (code === undefined) return 'is no ZIP archive, or a damaged one';
  if (code === 'ENOENT') return 'does not exist';
  return code === 'EISDIR' ? 'is a folder' : `cannot be read (${code})`;
}

async function openZip(file: string): Promise<yauzl.ZipFile> {
  try {
    return await yauzl.openPromise(file, { strictFileNames: true, autoClose: false });
  } catch (cause) {
    throw new ContextloomError('invalid', `${file} ${toProblem(cause)}`, { cause });
  }
}

async function readEntries(zip: yauzl.ZipFile, file: string): Promise<ReadonlyMap<string, yauzl.Entry>> {
  const entries = new Map<string, yauzl.Entry>();
  try {
    for await (const entry of zip.eachEntry()) entries.set(entry.fileName, entry);
  } catch (cause) {
    throw damaged(`the list of entries of ${file}`, cause);
  }
  return entries;
}

async function* readBytes(zip: yauzl.ZipFile, entry: yauzl.Entry | undefined, path: string): AsyncGenerator<Buffer> {
  if (entry === undefined) throw damaged(`${path}, which is missing`);
  try {
    for await (const chunk of await zip.openReadStreamPromise(entry)) yield chunk as Buffer;
  } catch (cause) {
    throw damaged(path, cause);
  }
}

async function readManifest(zip: yauzl.ZipFile, entry: yauzl.Entry, file: string): Promise<Manifest> {
  if (entry.uncompressedSize > MAX_MANIFEST) throw damaged(MANIFEST);
  const chunks: Buffer[] = [];
  for await (const chunk of readBytes(zip, entry, MANIFEST)) chunks.push(chunk);
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (cause) {
    throw damaged(`${MANIFEST} of ${file}`, cause);
  }
  return parseInput(manifestSchema, value, [MANIFEST]);
}

/** Cuts text at its newlines into pages of about {@link PAGE_LENGTH} characters. */
async function* toPages(chunks: AsyncIterable<Buffer>, path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  for await (const chunk of chunks) {
    try {
      text += decoder.decode(chunk, { stream: true });
    } catch (cause) {
      throw damaged(path, cause);
    }
    const end = text.length >= PAGE_LENGTH ? text.lastIndexOf('\n') + 1 : 0;
    if (end > 0) yield text.slice(0, end);
    text = text.slice(end);
    if (text.length > MAX_LINES) throw damaged(`${path}: a record has more than ${MAX_LINES} characters`);
  }
  if (text !== '') yield text;
}

/** Whether a file is an archive of ours, damaged or not: a ZIP with a manifest, which no export of a chat program has. */
export async function isArchive(file: string): Promise<boolean> {
  if (!file.toLowerCase().endsWith('.zip')) return false;
  let zip: yauzl.ZipFile;
  try {
    zip = await yauzl.openPromise(file, { autoClose: false });
  } catch (error) {
    // The importer says what is wrong with it.
    if (error instanceof Error) return false;
    throw error;
  }
  try {
    for await (const { fileName } of zip.eachEntry())
      if (fileName === MANIFEST || USER_ENTRY.test(fileName)) return true;
    return false;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  } finally {
    zip.close();
  }
}

/**
 * Opens an archive.
 * @throws ContextloomError `not_found` for a file that is none, `invalid` for a damaged one and for one of a newer program
 */
export async function openArchive(file: string): Promise<Archive> {
  const zip = await openZip(file);
  try {
    const entries = await readEntries(zip, file);
    const found = entries.get(MANIFEST);
    if (found === undefined) {
      throw new ContextloomError(
        'not_found',
        `${file} is no archive of "contextloom export": it has no ${MANIFEST} of ${FORMAT}`,
      );
    }
    const manifest = await readManifest(zip, found, file);
    const bytesOf = ({ file: path }: ArchivedStore) => readBytes(zip, entries.get(path), path);
    return {
      manifest,
      check: async (store) => {
        const hash = createHash('sha256');
        for await (const chunk of bytesOf(store)) hash.update(chunk);
        if (hash.digest('hex') !== store.sha256) throw damaged(store.file);
      },
      pages: (store) => toPages(bytesOf(store), store.file),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}
