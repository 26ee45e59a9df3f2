import { displayNameSchema } from '@contextloom/contracts';
import { z } from 'zod';

const givenNameSchema = displayNameSchema.optional();

/** What callers may call the user and the persona, each under two spellings. */
export const givenNamesSchema = z.object({
  user: givenNameSchema,
  char: givenNameSchema,
  user_name: givenNameSchema,
  char_name: givenNameSchema,
});
/** What callers call the user and the persona, after parsing. */
export type GivenNames = z.output<typeof givenNamesSchema>;
