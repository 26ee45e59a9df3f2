/** Words of the texts of some slots in columns, so that a search that looks for few of them reads little else than hashes. */
export interface WordColumns {
  /** How many terms and unigrams each text has. */
  readonly terms: Uint32Array;
  readonly unigrams: Uint32Array;
  /** Where the words of each slot begin in the two columns after it; those of the slot before end there. */
  readonly starts: Uint32Array;
  readonly hashes: Uint32Array;
  /** The rest of each hash, and how often the word occurs. */
  readonly rests: Uint32Array;
  readonly bytes: number;
  /** Takes the words of a slot, as entries have them, after those of the slot before. */
  set(slot: number, words: Uint32Array): void;
}

function toGrown(column: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(length);
  grown.set(column);
  return grown;
}

/** Builds the columns for so many slots, with room for so many words at first. */
export function createWordColumns(slots: number, room: number): WordColumns {
  const terms = new Uint32Array(slots);
  const unigrams = new Uint32Array(slots);
  const starts = new Uint32Array(slots + 1);
  let hashes = new Uint32Array(room);
  let rests = new Uint32Array(room);
  return {
    terms,
    unigrams,
    starts,
    get hashes() {
      return hashes;
    },
    get rests() {
      return rests;
    },
    get bytes() {
      return 2 * hashes.byteLength;
    },
    set: (slot, words) => {
      const start = starts[slot] ?? 0;
      const end = start + (words.length - 2) / 2;
      if (end > hashes.length) {
        const length = Math.max(end, 2 * hashes.length);
        [hashes, rests] = [toGrown(hashes, length), toGrown(rests, length)];
      }
      [terms[slot], unigrams[slot]] = [words[0] ?? 0, words[1] ?? 0];
      for (let at = start, from = 2; at < end; at += 1, from += 2) {
        hashes[at] = words[from] as number;
        rests[at] = words[from + 1] as number;
      }
      starts[slot + 1] = end;
    },
  };
}
