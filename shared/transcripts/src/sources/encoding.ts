import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { ContextloomError } from '@contextloom/contracts';
import { analyse } from 'chardet';
import type { Entry } from './source.ts';

/** How a file is to be decoded, and what it is known by. */
export interface Encoding {
  /** A label of the Encoding Standard. */
  readonly label: string;
  /** The hash of its bytes. */
  readonly digest: string;
  /** Whether it ends in the middle of a character. */
  readonly isCut: boolean;
}

const SAMPLE = 256 * 1024;
const LINE_FEED = 0x0a;

/** The detector's names for encodings that chats come in, as the Encoding Standard calls them. */
const LABELS: Readonly<Record<string, string>> = {
  GB18030: 'gb18030',
  Big5: 'big5',
  Shift_JIS: 'shift_jis',
  'EUC-JP': 'euc-jp',
  'EUC-KR': 'euc-kr',
  'KOI8-R': 'koi8-r',
  'ISO-8859-1': 'windows-1252',
  'windows-1252': 'windows-1252',
  'windows-1251': 'windows-1251',
  'windows-1250': 'windows-1250',
  'ISO-8859-2': 'iso-8859-2',
  'windows-1253': 'windows-1253',
  'windows-1254': 'windows-1254',
};

/** Whether a decoder says that bytes are not of its encoding. */
function isEncodingFault(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
  );
}

function fromMark(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf-8' : undefined;
}

/** UTF-16 without a mark: in most scripts every other byte of a text's blanks, digits and line ends is 0. */
function fromZeros(sample: Buffer): string | undefined {
  const zeros = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  if (even + odd < sample.length / 20) return undefined;
  if (odd > 20 * even) return 'utf-16le';
  return even > 20 * odd ? 'utf-16be' : undefined;
}

function decodes(bytes: Buffer, label: string): boolean {
  try {
    new TextDecoder(label, { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch (error) {
    if (isEncodingFault(error)) return false;
    throw error;
  }
}

const MULTI_BYTE = new Set(['gb18030', 'big5', 'shift_jis', 'euc-jp', 'euc-kr']);

/** Whether nearly all characters of two bytes are among the common ones of GB 2312: of other encodings about half are not. */
function looksLikeChinese(sample: Buffer): boolean {
  let [common, all] = [0, 0];
  for (let at = 0; at + 1 < sample.length; at += 1) {
    const [lead = 0, trail = 0] = [sample[at], sample[at + 1]];
    if (lead < 0x80) continue;
    all += 1;
    if (trail >= 0xa1 && ((lead >= 0xa1 && lead <= 0xa9) || (lead >= 0xb0 && lead <= 0xd7))) common += 1;
    at += 1;
  }
  return all > 0 && common >= 0.9 * all;
}

/**
 * The detector's best guess that decodes the sample without a fault. Text of one byte a character hardly ever is text of several by
 * chance, but every text of several is one of single bytes, and would be stored as signs that nobody can read. In a few words the
 * detector takes simplified Chinese for traditional.
 */
function guess(sample: Buffer): string {
  const found = analyse(sample).flatMap(({ name, confidence }) => {
    const label = LABELS[name];
    return label === undefined || !decodes(sample, label) ? [] : [{ label, confidence }];
  });
  const several = found.filter(({ label }) => MULTI_BYTE.has(label));
  const [best] = several.length > 0 ? several : found;
  const simplified = decodes(sample, 'gb18030') && looksLikeChinese(sample);
  const isSure = best !== undefined && (best.label === 'euc-kr' || best.label === 'euc-jp') && best.confidence > 50;
  if (simplified && !isSure) return 'gb18030';
  if (best !== undefined) return best.label;
  throw new ContextloomError('invalid', 'its encoding is not known, or it has several: save it as UTF-8');
}

/** Follows the bytes of a file, line by line, as far as they tell its encoding. */
function createFollower() {
  const hash = createHash('sha256');
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  let head = Buffer.alloc(0);
  let strange: Buffer[] = [];
  let strangeLength = 0;
  let isValid = true;
  let hasZero = false;
  return {
    add: (chunk: Buffer): void => {
      hash.update(chunk);
      if (head.length < SAMPLE) head = Buffer.concat([head, chunk.subarray(0, SAMPLE - head.length)]);
      hasZero ||= chunk.includes(0);
      if (isValid) {
        try {
          utf8.decode(chunk, { stream: true });
        } catch (error) {
          if (!isEncodingFault(error)) throw error;
          isValid = false;
        }
      }
      // What is not ASCII tells the encoding; it may come late in a file.
      if (strangeLength < SAMPLE && chunk.some((byte) => byte > 0x7f)) {
        strange.push(chunk);
        strangeLength += chunk.length;
      }
    },
    end: () => {
      let isCut = false;
      if (isValid) {
        try {
          utf8.decode();
        } catch (error) {
          if (!isEncodingFault(error)) throw error;
          isCut = true;
        }
      }
      const sample = Buffer.concat(strange);
      strange = [];
      return { digest: hash.digest('hex'), head, sample, isValid, hasZero, isCut };
    },
  };
}

/** Calls with each line of a file, as bytes. */
async function eachLine(entry: Entry, onLine: (line: Buffer, number: number) => void): Promise<void> {
  let rest: Buffer[] = [];
  let number = 0;
  for await (const chunk of await entry.open()) {
    const bytes = chunk as Buffer;
    let start = 0;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, start)) {
      number += 1;
      onLine(Buffer.concat([...rest, bytes.subarray(start, at)]), number);
      rest = [];
      start = at + 1;
    }
    if (start < bytes.length) rest.push(bytes.subarray(start));
  }
  if (rest.length > 0) onLine(Buffer.concat(rest), number + 1);
}

const isAscii = (line: Buffer): boolean => line.every((byte) => byte < 0x80);
/** A character of three bytes or more, which other encodings hardly ever have by chance. */
const hasLongCharacter = (line: Buffer): boolean => line.some((byte) => byte >= 0xe0);

/** Lines of UTF-8 in a file of another encoding would become signs that nobody can read. */
async function refuseMixed(entry: Entry): Promise<void> {
  let first: { utf8?: number; other?: number } = {};
  await eachLine(entry, (line, number) => {
    if (isAscii(line)) return;
    if (!isUtf8(line)) first = { ...first, other: first.other ?? number };
    else if (hasLongCharacter(line)) first = { ...first, utf8: first.utf8 ?? number };
  });
  if (first.utf8 === undefined || first.other === undefined) return;
  throw new ContextloomError(
    'invalid',
    `its encodings are mixed: line ${first.utf8} is UTF-8, line ${first.other} is not; save it as UTF-8`,
  );
}

/**
 * Finds the encoding of a file: by its mark, by whether it is UTF-8 throughout, else by a detector.
 * @throws ContextloomError `invalid` for what is no text, or of several encodings
 */
export async function findEncoding(entry: Entry): Promise<Encoding> {
  const follower = createFollower();
  for await (const chunk of await entry.open()) follower.add(chunk as Buffer);
  const { digest, head, sample, isValid, hasZero, isCut } = follower.end();
  if (head.length === 0) throw new ContextloomError('invalid', 'it is empty');
  const marked = fromMark(head);
  if (marked?.startsWith('utf-16')) return { label: marked, digest, isCut: false };
  if (hasZero) {
    const label = fromZeros(head);
    if (label === undefined) throw new ContextloomError('invalid', 'it is no text: it holds NUL bytes');
    return { label, digest, isCut: false };
  }
  if (isValid) return { label: 'utf-8', digest, isCut };
  await refuseMixed(entry);
  const label = guess(sample);
  return { label, digest, isCut: false };
}

/**
 * The text of a file in pieces.
 * @throws ContextloomError `invalid` naming the line that is not of the file's encoding
 */
export async function* decode(entry: Entry, { label, isCut }: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(label, { fatal: !isCut });
  let line = 1;
  const run = (work: () => string): string => {
    try {
      return work();
    } catch (cause) {
      if (!isEncodingFault(cause)) throw cause;
      throw new ContextloomError(
        'invalid',
        `near line ${line} it is not ${label.toUpperCase()} text; save it as UTF-8`,
        { cause },
      );
    }
  };
  for await (const chunk of await entry.open()) {
    const text = run(() => decoder.decode(chunk as Buffer, { stream: true }));
    if (text !== '') yield text;
    line += text.split('\n').length - 1;
  }
  const last = run(() => decoder.decode());
  if (last !== '') yield last;
}
