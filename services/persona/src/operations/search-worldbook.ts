import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import type { PersonaContext } from './deps.ts';

/** Finds the texts of the world book that a question touches. */
export const searchWorldBook = defineOperation({
  name: 'search_worldbook',
  title: 'Search the world book',
  description: "Finds texts in the persona's world book, best first. Words of Chinese and English, in any case.",
  effect: 'reads',
  scope: 'none',
  input: z.object({
    query: z.string().max(10_000, 'must be at most 10000 characters').describe('What to look for.'),
    top_k: z.number().int().min(1).max(100).default(5).describe('How many results, 1 to 100.'),
  }),
  output: z.object({
    query: z.string(),
    results: z.array(
      z.object({
        score: z.number().describe('Per query word: 2 for a keyword, 1 for the title, 3 for the text.'),
        entryId: z.string(),
        chunkId: z.string().optional(),
        text: z.string().optional(),
      }),
    ),
  }),
  example: {
    input: { query: 'awl', top_k: 1 },
    output: {
      query: 'awl',
      results: [
        {
          score: 6,
          entryId: 'awl',
          chunkId: 'awl-1',
          text: 'The awl came from his master; red thread is wound around its handle.',
        },
      ],
    },
  },
  run: ({ query, top_k }, { deps: { search } }: PersonaContext) => ({ query, results: search(query, top_k) }),
});
