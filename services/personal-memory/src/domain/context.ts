import { type Tokens, tokenize } from '@contextloom/retrieval';
import type { Searchable, UserMemory } from './store.ts';

/** What work on one user's memory has to hand. */
export interface MemoryContext {
  readonly memory: UserMemory;
  readonly now: () => Date;
  /** Where days, weeks and months begin: an IANA time zone. */
  readonly zone: string;
  /** Most events that one call lists. */
  readonly maxEvents: number;
  /** Makes the vector of a text; undefined while the embedder is out of reach. */
  readonly embed: (text: string) => Promise<Float32Array | undefined>;
}

/** Keeps every word, so that even one without content is found. */
export function toTokens(text: string): Tokens {
  return tokenize(text, { keepStopWords: true });
}

/** Makes a text ready to be stored and found again. */
export async function toSearchable(text: string, { embed }: Pick<MemoryContext, 'embed'>): Promise<Searchable> {
  return { tokens: toTokens(text), vector: await embed(text) };
}
