import { z } from 'zod';
import { displayNameSchema } from './values/identifiers.ts';

const givenNameSchema = displayNameSchema.optional();

/** The names of user and persona that a caller may give, each with two spellings. */
export const givenNamesSchema = z.object({
  user: givenNameSchema,
  char: givenNameSchema,
  user_name: givenNameSchema,
  char_name: givenNameSchema,
});
/** The parsed names of user and persona. */
export type GivenNames = z.output<typeof givenNamesSchema>;

/** The answer of an operation that gives one text. */
export const personaTextSchema = z.object({ text: z.string().describe('The Markdown text.') });

/** What the operations of a persona take and answer whose names do not contain its own. */
export const persona = {
  get_safety_guidelines: { input: z.object({}), output: personaTextSchema },
  get_worldbook_entry: {
    input: z.object({ id: z.string().describe('The id of the entry, as list_worldbook_entries names it.') }),
    output: z.object({
      id: z.string(),
      keywords: z.array(z.string()),
      title: z.string(),
      chunks: z.array(z.object({ id: z.string(), text: z.string() })),
    }),
  },
  list_worldbook_entries: {
    input: z.object({}),
    output: z.object({
      entries: z.array(
        z.object({ id: z.string(), keywords: z.array(z.string()), title: z.string(), chunkCount: z.number().int() }),
      ),
    }),
  },
  search_worldbook: {
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
  },
} as const;
