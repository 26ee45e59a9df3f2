import { ContextloomError } from '@contextloom/contracts';
import { persona as contract } from '@contextloom/contracts/persona';
import { defineOperation } from '@contextloom/server-kit';
import type { PersonaContext } from './deps.ts';

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
