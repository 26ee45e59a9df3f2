import { z } from 'zod';

const rankSchema = z.number().int().describe('Its place there, from 1.');

/**
 * How the score of a search result came about. Relevance is `fused`, or comes from `rerank.rank` where a reranker read the
 * document; a priority tag lifts the result. The scores of `words` and `vector` can be compared within one list of one search alone:
 * other lists, searches, selections and stores have other scales.
 */
export const explanationSchema = z
  .object({
    words: z
      .object({
        rank: rankSchema,
        score: z.number().describe('BM25; comparable only within this list of this search.'),
        terms: z
          .array(z.string())
          .describe(
            'What of the query it holds, or what stands for it, as words are compared: stems, pairs of CJK characters.',
          ),
      })
      .nullable()
      .describe('Its place among those found by words; null when it is not among them.'),
    vector: z
      .object({
        rank: rankSchema,
        score: z
          .number()
          .describe(
            "The cosine of the query's vector and its own, 0 where it is less; comparable only within this list.",
          ),
      })
      .nullable()
      .describe('Its place among those nearest in meaning; null when it is not among them.'),
    fused: z
      .number()
      .describe('What both lists make of it, what stands around it in its sequence and its form; the best has 1.'),
    neighbours: z
      .object({
        own: z.number().describe('What both lists make of it alone.'),
        given: z.number().describe('What those around it added.'),
      })
      .optional()
      .describe('What those around it in its sequence gave it, if they gave it anything.'),
    form: z
      .number()
      .optional()
      .describe('What that was multiplied by since it is a question, or since an assistant wrote it.'),
    recency: z
      .number()
      .optional()
      .describe('What that was multiplied by for its time, where the query asks how things are now.'),
    rerank: z
      .object({ rank: rankSchema, score: z.number().describe("The reranker's own, on a scale of its own.") })
      .optional()
      .describe('What the reranker made of it, if it was asked.'),
    boosts: z
      .object({
        priority_tag: z.number().describe('What a priority tag added to the score.'),
      })
      .describe('What it got besides its relevance.'),
    score: z.number().describe('0 to 1, higher is better.'),
  })
  .describe('How the score came about.');
/** How the score of a search result came about. */
export type Explanation = Readonly<z.output<typeof explanationSchema>>;

/** The best passage of a document for a query. */
export const snippetSchema = z
  .object({
    text: z.string().describe('At most 200 characters, with an ellipsis where text was left out.'),
    ranges: z
      .array(z.array(z.number().int()).length(2))
      .describe('Where words of the query stand in it: the first UTF-16 code unit and the one after the last.'),
  })
  .describe('The passage that holds most of the query.');
