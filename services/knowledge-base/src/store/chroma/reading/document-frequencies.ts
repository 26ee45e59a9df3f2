import type { Rows } from '../rows/collection.ts';
import { parseText } from '../rows/rows.ts';

/** Rows that a sample is made of, and the places in the collection that they are taken from. */
const SAMPLE = { pages: 4, rowsAPage: 250 } as const;
/** A sample is taken again once the collection has grown or shrunk by this factor. */
const STALE_FACTOR = 1.5;

/** The share of rows that hold a token, estimated from a sample. */
export interface Shares {
  of(token: string): number;
}

/** Estimates document frequencies; the engine itself would read all rows for each token. */
export type DocumentFrequencies = (rows: Rows, count: number) => Promise<Shares>;

async function takeSample(rows: Rows, count: number): Promise<Shares> {
  const holders = new Map<string, number>();
  let sampled = 0;
  for (let page = 0; page < SAMPLE.pages; page += 1) {
    const offset = Math.floor((page * count) / SAMPLE.pages);
    for (const { text } of await rows.get({ offset, limit: SAMPLE.rowsAPage }, ['documents'])) {
      const { terms, unigrams } = parseText(text);
      for (const token of new Set([...terms, ...unigrams])) holders.set(token, (holders.get(token) ?? 0) + 1);
      sampled += 1;
    }
  }
  // A token that the sample lacks is rare, and not nowhere.
  return { of: (token) => (holders.get(token) ?? 0.5) / Math.max(1, sampled) };
}

/** Begins without a sample: the first that is asked for is taken then, and serves until the collection is another size. */
export function createDocumentFrequencies(): DocumentFrequencies {
  let last: { readonly count: number; readonly shares: Promise<Shares> } | undefined;
  const isFresh = (count: number, then: number): boolean => count < then * STALE_FACTOR && count > then / STALE_FACTOR;
  return (rows, count) => {
    if (last === undefined || !isFresh(count, last.count)) {
      const taken = { count, shares: takeSample(rows, count) };
      last = taken;
      taken.shares.catch(() => {
        if (last === taken) last = undefined; // Its callers get the error; the next call tries again.
      });
    }
    return last.shares;
  };
}
