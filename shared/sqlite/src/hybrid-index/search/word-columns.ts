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
  /** Where to look for a hash, once the words are sorted; those of a slot no longer stand together then. */
  readonly buckets: WordBuckets | undefined;
  readonly bytes: number;
  /** Takes the words of a slot, as entries have them, after those of the slot before. */
  set(slot: number, words: Uint32Array): void;
  /** Puts the words of all slots, 256 at most, in the order of their hashes' last bits, so that a search reads those that it looks for alone. */
  sort(): void;
}

/** Words in the order of their hashes' last bits. */
export interface WordBuckets {
  /** Where the words begin whose hash ends in these bits; those of the bits before end there. */
  readonly starts: Uint32Array;
  /** Which slot each word is of. */
  readonly slots: Uint8Array;
}

/** Words of a bucket, on average at most. */
const BUCKET_WORDS = 8;

/** A counting sort by the last bits of hashes. */
function toSorted(hashes: Uint32Array, rests: Uint32Array, slotStarts: Uint32Array) {
  const count = slotStarts.at(-1) ?? 0;
  const mask = 2 ** Math.ceil(Math.log2(Math.max(2, count / BUCKET_WORDS))) - 1;
  const starts = new Uint32Array(mask + 2);
  for (let at = 0; at < count; at += 1) {
    const bucket = ((hashes[at] as number) & mask) + 1;
    starts[bucket] = (starts[bucket] as number) + 1;
  }
  for (let bucket = 1; bucket < starts.length; bucket += 1) {
    starts[bucket] = (starts[bucket] as number) + (starts[bucket - 1] as number);
  }
  const sorted = { hashes: new Uint32Array(count), rests: new Uint32Array(count), slots: new Uint8Array(count) };
  const next = starts.slice();
  for (let at = 0, slot = 0; at < count; at += 1) {
    while (at >= (slotStarts[slot + 1] as number)) slot += 1;
    const bucket = (hashes[at] as number) & mask;
    const place = next[bucket] as number;
    next[bucket] = place + 1;
    sorted.hashes[place] = hashes[at] as number;
    sorted.rests[place] = rests[at] as number;
    sorted.slots[place] = slot;
  }
  return { ...sorted, starts };
}

function toGrown(column: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(length);
  grown.set(column);
  return grown;
}

/** Builds the columns for so many slots, with room for so many words at first. */
export function createWordColumns(slots: number, capacity: number): WordColumns {
  const terms = new Uint32Array(slots);
  const unigrams = new Uint32Array(slots);
  const starts = new Uint32Array(slots + 1);
  let hashes = new Uint32Array(capacity);
  let rests = new Uint32Array(capacity);
  let buckets: WordBuckets | undefined;
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
    get buckets() {
      return buckets;
    },
    get bytes() {
      return 2 * hashes.byteLength + (buckets === undefined ? 0 : buckets.starts.byteLength + buckets.slots.byteLength);
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
    sort: () => {
      const sorted = toSorted(hashes, rests, starts);
      ({ hashes, rests } = sorted);
      buckets = { starts: sorted.starts, slots: sorted.slots };
    },
  };
}
