import { ContextloomError } from '@contextloom/contracts';
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

/** One world book entry with all its texts. */
export const getWorldBookEntry = defineOperation({
  name: 'get_worldbook_entry',
  title: 'Get a world book entry',
  description: 'One world book entry with all its texts.',
  effect: 'reads',
  scope: 'none',
  ...contract.get_worldbook_entry,
  example: {
    input: { id: 'awl' },
    output: {
      id: 'awl',
      keywords: ['awl'],
      title: "The cobbler's awl",
      chunks: [{ id: 'awl-1', text: 'The awl came from his master; red thread is wound around its handle.' }],
    },
  },
  run: ({ id }, { deps: { persona } }: PersonaContext) => {
    const entry = persona.worldBook.find((candidate) => candidate.id === id);
    if (entry !== undefined) return entry;
    const message = 'no world book entry has this id; list_worldbook_entries names them all';
    throw new ContextloomError('not_found', message, { field: 'id' });
  },
});

/** Lists what the persona's world book knows about. */
export const listWorldBookEntries = defineOperation({
  name: 'list_worldbook_entries',
  title: 'List world book entries',
  description: "What the persona's world book knows about: places, people, recipes, customs.",
  effect: 'reads',
  scope: 'none',
  ...contract.list_worldbook_entries,
  example: {
    input: {},
    output: { entries: [{ id: 'awl', keywords: ['awl'], title: "The cobbler's awl", chunkCount: 1 }] },
  },
  run: (_input, { deps: { persona } }: PersonaContext) => ({
    entries: persona.worldBook.map(({ id, keywords, title, chunks }) => ({
      id,
      keywords,
      title,
      chunkCount: chunks.length,
    })),
  }),
});
