import { persona as contract } from '@contextloom/contracts/persona';
import { defineOperation } from '@contextloom/server-kit';
import type { PersonaContext } from './deps.ts';

/** Finds the texts of the world book that a question touches. */
export const searchWorldBook = defineOperation({
  name: 'search_worldbook',
  title: 'Search the world book',
  description: "Finds texts in the persona's world book, best first. Words of Chinese and English, in any case.",
  effect: 'reads',
  scope: 'none',
  ...contract.search_worldbook,
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
