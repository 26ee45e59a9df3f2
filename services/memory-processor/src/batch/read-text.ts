import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { ContextloomError } from '@contextloom/contracts';

/** The largest file that is read, in bytes: reading takes ten times as much memory. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;

const MEGABYTE = 1024 * 1024;
const LINE_FEED = 0x0a;

async function readBytes(file: string, maxBytes: number): Promise<Buffer> {
  try {
    const { size } = await stat(file);
    if (size > maxBytes) {
      throw new ContextloomError(
        'too_large',
        `it has ${(size / MEGABYTE).toFixed(1)} MB, more than the ${maxBytes / MEGABYTE} MB that a file may have; split it`,
      );
    }
    return await readFile(file);
  } catch (cause) {
    if (cause instanceof ContextloomError) throw cause;
    throw new ContextloomError('invalid', 'the file cannot be read', { cause });
  }
}

/** The first line that is not UTF-8, from 1; a line feed is no part of any other character. */
function findFaultyLine(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf(LINE_FEED, start);
    const next = end < 0 ? bytes.length : end + 1;
    if (!isUtf8(bytes.subarray(start, next))) break;
    start = next;
  }
  return line;
}

/**
 * Reads a file of UTF-8 text, with or without a byte order mark. Other encodings are refused: read as UTF-8, they become
 * memories that nobody can read or find.
 * @throws ContextloomError `too_large`, or `invalid` naming the line
 */
export async function readText(file: string, maxBytes = MAX_FILE_BYTES): Promise<string> {
  const bytes = await readBytes(file, maxBytes);
  const [first, second] = bytes;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (isUtf16) throw new ContextloomError('invalid', 'it is UTF-16 text; save it as UTF-8');
  if (isUtf8(bytes)) return new TextDecoder('utf-8').decode(bytes);
  throw new ContextloomError('invalid', `line ${findFaultyLine(bytes)} is not UTF-8 text; save the file as UTF-8`);
}
