import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import type { PersonaContext } from './deps.ts';

/** Lists what the persona's world book knows about. */
export const listWorldBookEntries = defineOperation({
  name: 'list_worldbook_entries',
  title: 'List world book entries',
  description: "What the persona's world book knows about: places, people, recipes, customs.",
  effect: 'reads',
  scope: 'none',
  input: z.object({}),
  output: z.object({
    entries: z.array(
      z.object({ id: z.string(), keywords: z.array(z.string()), title: z.string(), chunkCount: z.number().int() }),
    ),
  }),
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
