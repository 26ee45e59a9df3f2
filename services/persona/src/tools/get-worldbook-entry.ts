import { ContextloomError } from '@contextloom/contracts';
import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { type PersonaDeps, readOnly } from './persona-deps.ts';

/** `get_worldbook_entry`: one entry with all its texts. */
export const getWorldBookEntry = defineTool({
  name: 'get_worldbook_entry',
  title: 'Get a world book entry',
  description: 'One world book entry with all its texts.',
  input: z.object({ id: z.string().describe('The id of the entry, as list_worldbook_entries names it.') }),
  output: z.object({
    id: z.string(),
    keywords: z.array(z.string()),
    title: z.string(),
    chunks: z.array(z.object({ id: z.string(), text: z.string() })),
  }),
  annotations: readOnly,
  run: ({ id }, { persona }: PersonaDeps) => {
    const entry = persona.worldBook.find((candidate) => candidate.id === id);
    if (entry === undefined) {
      throw new ContextloomError(
        'not_found',
        'no world book entry has this id; list_worldbook_entries names them all',
        {
          field: 'id',
        },
      );
    }
    return entry;
  },
});
