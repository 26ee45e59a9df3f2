import { closeSync, openSync, readSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type PartOfSpeech, partsOfSpeech, type SynsetAddress } from './wordnet-index.ts';
import { parseSynset, type Synset } from './wordnet-synset.ts';

/** WordNet's indexes by part of speech. */
export type Indexes = ReadonlyMap<PartOfSpeech, Buffer>;

const parts = Object.keys(partsOfSpeech) as readonly PartOfSpeech[];

/** Reads the indexes, which take 6 MB; the synsets, 22 MB, stay in their files. */
export async function readIndexes(folder: string): Promise<Indexes> {
  const read = async (part: PartOfSpeech) =>
    [part, await readFile(join(folder, `index.${partsOfSpeech[part]}`))] as const;
  return new Map(await Promise.all(parts.map(read)));
}

/** Most synsets' lines are shorter than this, in bytes. */
const LINE_LENGTH = 1_024;

function readLine(file: number, offset: number): string {
  let line = '';
  for (;;) {
    const chunk = Buffer.allocUnsafe(LINE_LENGTH);
    const read = readSync(file, chunk, 0, LINE_LENGTH, offset + line.length);
    const text = chunk.toString('latin1', 0, read);
    const end = text.indexOf('\n');
    line += end === -1 ? text : text.slice(0, end);
    if (end !== -1 || read === 0) return line;
  }
}

/** Reads one synset. */
export type ReadSynset = (address: SynsetAddress) => Synset;

/**
 * Calls `use` with the files of the synsets, each opened when first read and closed at the end. A word's synsets are some
 * fifty reads of a microsecond or two each, which the turns of asynchronous reading would make fifty times as long.
 */
export function withSynsets<T>(folder: string, use: (read: ReadSynset) => T): T {
  const open = new Map<PartOfSpeech, number>();
  const openOnce = (part: PartOfSpeech): number => {
    const file = open.get(part) ?? openSync(join(folder, `data.${partsOfSpeech[part]}`), 'r');
    open.set(part, file);
    return file;
  };
  try {
    return use(({ part, offset }) => parseSynset(readLine(openOnce(part), offset)));
  } finally {
    for (const file of open.values()) closeSync(file);
  }
}
