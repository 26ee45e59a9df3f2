import { displayNameSchema } from '@contextloom/contracts';
import { z } from 'zod';

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
