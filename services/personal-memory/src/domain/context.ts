import { type Tokens, tokenize } from '@contextloom/retrieval';
import type { ToEnd } from './ends/to-end.ts';
import type { Searchable, UserMemory } from './store.ts';

/** Makes the vector of a text that is stored, or of a query; undefined while the embedder is out of reach. */
export type EmbedText = (text: string, purpose?: 'passage' | 'query') => Promise<Float32Array | undefined>;

/** What work on one user's memory needs. */
export interface MemoryContext {
  readonly memory: UserMemory;
  readonly clock: () => Date;
  /** Where days, weeks and months begin: an IANA time zone. */
  readonly zone: string;
  /** Most events that one call lists. */
  readonly maxEvents: number;
  readonly embed: EmbedText;
  /** When what is stored is forgotten; never without it. */
  readonly toEnd?: ToEnd | undefined;
}

/** Keeps stop words, so that every word can be found. */
export function toTokens(text: string): Tokens {
  return tokenize(text, { keepStopWords: true });
}

/** Makes the tokens and the vector of a text. */
export async function toSearchable(
  text: string,
  { embed }: Pick<MemoryContext, 'embed'>,
  purpose: 'passage' | 'query' = 'passage',
): Promise<Searchable> {
  return { tokens: toTokens(text), vector: await embed(text, purpose) };
}
