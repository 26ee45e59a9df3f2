import { type CountTokens, chunkText } from '@contextloom/retrieval/chunk';
import type { MemoryContent } from '../memory.ts';
import type { SkippedText } from '../store.ts';
import type { Analyst } from './analysis.ts';
import { toMeanVector } from './vectors.ts';

/** Makes vectors of texts, in their order; undefined while the embedder cannot be used. */
export type EmbedTexts = (texts: readonly string[]) => Promise<readonly Float32Array[] | undefined>;

/** What a text is prepared with. */
export interface PrepareOptions {
  readonly analyst: Pick<Analyst, 'analyse'>;
  readonly embed: EmbedTexts;
  readonly countTokens: CountTokens;
}

/** Cuts a text into the parts that are searched. */
export type SplitContent = (content: string) => readonly string[];

/** Cuts a text into the parts that are searched: 500 tokens with 50 of overlap. */
export function splitContent(content: string, countTokens: CountTokens): readonly string[] {
  const chunks = chunkText(content, { countTokens, size: 500, overlap: 50 });
  return chunks.map(({ text }) => text);
}

/** Builds the function that makes everything of a text that the store keeps and searches. */
export function createPrepare({ analyst, embed, countTokens }: PrepareOptions) {
  return async (text: SkippedText): Promise<MemoryContent> => {
    const parts = splitContent(text.content, countTokens);
    const [analysis, vectors] = await Promise.all([analyst.analyse(text.content), embed(parts)]);
    return {
      ...text,
      ...analysis,
      fragments: parts.map((content, at) => ({ content, embedding: vectors?.[at] })),
      embedding: vectors && toMeanVector(vectors),
    };
  };
}
