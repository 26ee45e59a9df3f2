/** The parts of speech, by the letters that WordNet's files use for them. */
export const partsOfSpeech = { n: 'noun', v: 'verb', a: 'adj', r: 'adv' } as const;

/** The letter of a part of speech. */
export type PartOfSpeech = keyof typeof partsOfSpeech;

/** Where a synset stands: the file of its part of speech, and the byte at which its line begins. */
export interface SynsetAddress {
  readonly part: PartOfSpeech;
  readonly offset: number;
}

const NEWLINE = 0x0a;

function startOfLine(file: Buffer, at: number): number {
  return at === 0 ? 0 : file.lastIndexOf(NEWLINE, at - 1) + 1;
}

/**
 * The line of an index file (wndb(5WN)) that begins with a lemma; undefined when none does. The lines are in the order of
 * their bytes; those of the licence at the top begin with a blank, and so come before every lemma.
 */
function findLine(file: Buffer, lemma: string): string | undefined {
  const wanted = Buffer.from(`${lemma} `, 'latin1');
  let [low, high] = [0, file.length];
  while (low < high) {
    const from = startOfLine(file, (low + high) >>> 1);
    const to = file.indexOf(NEWLINE, from);
    const end = to === -1 ? file.length : to;
    const order = wanted.compare(file, from, Math.min(end, from + wanted.length));
    if (order === 0) return file.toString('latin1', from, end);
    if (order > 0) low = end + 1;
    else high = from;
  }
  return undefined;
}

/** The synsets of a lemma in an index file, its commonest sense first; none when it has none there. */
export function findSynsets(file: Buffer, part: PartOfSpeech, lemma: string): readonly SynsetAddress[] {
  // lemma pos synset_cnt p_cnt [ptr_symbol...] sense_cnt tagsense_cnt synset_offset...
  const fields = findLine(file, lemma)?.trim().split(' ') ?? [];
  const pointers = Number(fields[3]);
  return fields.slice(6 + pointers).map((offset) => ({ part, offset: Number(offset) }));
}
