import { isUtf8 } from 'node:buffer';
import { ContextloomError } from '@contextloom/contracts';
import yauzl from 'yauzl';
import type { Entry, Refused, Source } from './source.ts';

/** Text shrinks to a twentieth; what shrinks to less than a thousandth was made to fill a disk. */
const MAX_RATIO = 1_000;
/** Small files may shrink as they like, in bytes. */
const RATIO_FROM = 16 * 1024 * 1024;
const MAX_ENTRIES = 200_000;
const GIGABYTE = 1024 * 1024 * 1024;
/** What all files of an archive may have together, in bytes. */
const MAX_TOTAL = 16 * GIGABYTE;

/** Names that archives of macOS hold besides the files themselves. */
const NOISE = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|\._)/u;

const ENCRYPTED = 'it is encrypted: unpack the archive with its password, and import the folder';

function refuse(entry: yauzl.Entry, total: number): string | undefined {
  if (entry.isEncrypted()) return ENCRYPTED;
  if (/\.(?:zip|gz|tgz|7z|rar|tar|bz2|xz)$/iu.test(entry.fileName)) return 'an archive in an archive is not opened';
  const ratio = entry.uncompressedSize / Math.max(1, entry.compressedSize);
  if (entry.uncompressedSize > RATIO_FROM && ratio > MAX_RATIO)
    return 'it grows more than a thousandfold when it is unpacked';
  if (total > MAX_TOTAL) return `the archive has more than ${MAX_TOTAL / GIGABYTE} GB when it is unpacked`;
  return undefined;
}

/** Where an archive says that its names are UTF-8. */
const IS_UTF8 = 0x800;
/** The bytes of GB 2312, which come in pairs; letters with accents in the older encoding of archives are below, most of them. */
const GB2312 = /^(?:[ -~]|[\u00a1-\u00f7][\u00a1-\u00fe])*$/u;

/** The path of an entry. Archives of Windows in Chinese have names in GBK, and some programs write UTF-8 without saying so. */
function toPath({ fileName, fileNameRaw, generalPurposeBitFlag: flags }: yauzl.Entry): string {
  const isPlain = fileNameRaw.every((byte) => byte < 0x80);
  if (isPlain || (flags & IS_UTF8) !== 0) return fileName;
  if (isUtf8(fileNameRaw)) return fileNameRaw.toString('utf8');
  return GB2312.test(fileNameRaw.toString('latin1')) ? new TextDecoder('gb18030').decode(fileNameRaw) : fileName;
}

function toReason(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/relative path|absolute path|invalid characters in fileName/u.test(message))
    return 'it holds a file whose path leads out of it';
  if (/encryption/u.test(message)) return ENCRYPTED;
  return 'it is no ZIP archive, or a damaged one';
}

/**
 * Opens a ZIP archive; its files are unpacked as they are read, and never onto the disk.
 * @throws ContextloomError `invalid` for a damaged archive and for one with paths that lead out of it
 */
export async function openZip(file: string, name: string): Promise<Source> {
  const damaged = (cause: unknown): ContextloomError => new ContextloomError('invalid', toReason(cause), { cause });
  let zip: yauzl.ZipFile;
  try {
    zip = await yauzl.openPromise(file, { strictFileNames: true, autoClose: false });
  } catch (cause) {
    throw damaged(cause);
  }
  const entries: Entry[] = [];
  const refused: Refused[] = [];
  let total = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      const { uncompressedSize } = entry;
      const path = toPath(entry);
      if (path.endsWith('/') || NOISE.test(path)) continue;
      total += uncompressedSize;
      const reason =
        entries.length >= MAX_ENTRIES ? `only ${MAX_ENTRIES} files of an archive are read` : refuse(entry, total);
      if (reason === undefined)
        entries.push({ path, size: uncompressedSize, open: () => zip.openReadStreamPromise(entry) });
      else refused.push({ path, reason });
    }
  } catch (cause) {
    zip.close();
    throw damaged(cause);
  }
  if (entries.length + refused.length === 0) {
    zip.close();
    throw new ContextloomError('invalid', 'the archive holds no files');
  }
  const close = async (): Promise<void> => zip.close();
  return { name, entries, refused, close };
}
