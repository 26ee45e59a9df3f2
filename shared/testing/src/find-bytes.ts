import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Where a text was found. */
export interface FoundBytes {
  readonly file: string;
  readonly text: string;
  readonly encoding: string;
}

/** The parts of base64 that a text becomes wherever it stands in a longer one: at each of the three offsets, without the characters that its neighbours share. */
function toBase64Parts(text: string): readonly string[] {
  const bytes = Buffer.from(text);
  return [0, 1, 2].map((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    return encoded.slice(first, last);
  });
}

/** Shorter parts are found by chance. */
const MIN_BASE64 = 8;

function toPatterns(text: string): readonly (readonly [encoding: string, bytes: Buffer])[] {
  const wide = Buffer.from(text, 'utf16le');
  const base64 = toBase64Parts(text).filter((part) => part.length >= MIN_BASE64);
  const escaped = text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return [
    ['UTF-8', Buffer.from(text)],
    ['UTF-16LE', wide],
    ['UTF-16BE', Buffer.from(wide).swap16()],
    ...(escaped === text ? [] : [['JSON escapes', Buffer.from(escaped)] as const]),
    ...base64.map((part) => ['base64', Buffer.from(part)] as const),
    ...base64.map((part) => ['base64url', Buffer.from(part.replaceAll('+', '-').replaceAll('/', '_'))] as const),
  ];
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
}

/** Looks for texts in the bytes of every file below a folder, in UTF-8, UTF-16 and base64, and in the names of the files. */
export function findBytes(folder: string, texts: readonly string[]): readonly FoundBytes[] {
  const wanted = texts.map((text) => ({ text, patterns: toPatterns(text) }));
  return listFiles(folder).flatMap((file) => {
    const bytes = readFileSync(file);
    return wanted.flatMap(({ text, patterns }) => {
      const found = patterns.filter(([, pattern]) => bytes.includes(pattern)).map(([encoding]) => encoding);
      const named = file.slice(folder.length).includes(text) ? ['its name'] : [];
      return [...new Set([...found, ...named])].map((encoding) => ({ file, text, encoding }));
    });
  });
}
