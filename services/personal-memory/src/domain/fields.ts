import { isWellFormed, MAX_IDENTIFIER_LENGTH } from '@contextloom/contracts';
import { z } from 'zod';

/** Longest value of an attribute and description of an event, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 20_000;
/** Most tags of one thing. */
const MAX_TAGS = 32;

/** A text that is not blank and can be stored. */
export function textField(description: string, max = MAX_TEXT_LENGTH) {
  return z
    .string()
    .max(max, `must be 1 to ${max} characters`)
    .refine((text) => text.trim() !== '', 'must not be blank')
    .refine(isWellFormed, 'contains a lone surrogate')
    .describe(description);
}

/** A short text on one line, such as a name; white space around it is removed. */
export function nameField(description: string) {
  return textField(description, MAX_IDENTIFIER_LENGTH)
    .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters')
    .transform((text) => text.trim());
}

function withoutEmpty(given: unknown): unknown {
  return given === '' || (Array.isArray(given) && given.length === 0) ? undefined : given;
}

/** A field that may be absent: models fill what they do not need with an empty text or list, which counts as absent. */
export function optionalField<S extends z.ZodType>(field: S) {
  return z.preprocess(withoutEmpty, field.optional());
}

/** The number of an entity, an event or a relation. */
export function idField(description: string) {
  return z.int('must be a whole number').min(1, 'must be 1 or more').describe(description);
}

/** A share from 0 to 1. */
export function shareField(description: string) {
  const RANGE = 'must be a number from 0 to 1';
  return z.number(RANGE).min(0, RANGE).max(1, RANGE).describe(description);
}

/** Tags; repeated ones count once. */
export const tagsField = z
  .array(nameField('A tag.'))
  .max(MAX_TAGS, `must have at most ${MAX_TAGS} tags`)
  .transform((tags) => [...new Set(tags)])
  .describe('Words of your own by which this can be found.');
