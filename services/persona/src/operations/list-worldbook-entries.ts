import { persona as contract } from '@contextloom/contracts/persona';
import { defineOperation } from '@contextloom/server-kit';
import type { PersonaContext } from './deps.ts';

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
