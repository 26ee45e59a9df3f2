import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { type PersonaDeps, readOnly } from './persona-deps.ts';

/** `list_worldbook_entries`: what the persona's world knows about. */
export const listWorldBookEntries = defineTool({
  name: 'list_worldbook_entries',
  title: 'List world book entries',
  description: "What the persona's world book knows about: places, people, recipes, customs.",
  input: z.object({}),
  output: z.object({
    entries: z.array(
      z.object({ id: z.string(), keywords: z.array(z.string()), title: z.string(), chunkCount: z.number().int() }),
    ),
  }),
  annotations: readOnly,
  run: (_args, { persona }: PersonaDeps) => ({
    entries: persona.worldBook.map(({ id, keywords, title, chunks }) => ({
      id,
      keywords,
      title,
      chunkCount: chunks.length,
    })),
  }),
});
