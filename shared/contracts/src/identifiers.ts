import { z } from 'zod';

/** Longest user id, document id and tag, in UTF-16 code units. */
export const MAX_IDENTIFIER_LENGTH = 256;

/**
 * A non-empty identifier without control characters or lone surrogates: two different identifiers never become equal by
 * being stored.
 * @param description what it identifies, shown to clients
 */
export function identifier(description: string) {
  return z
    .string()
    .min(1, `must be 1 to ${MAX_IDENTIFIER_LENGTH} characters`)
    .max(MAX_IDENTIFIER_LENGTH, `must be 1 to ${MAX_IDENTIFIER_LENGTH} characters`)
    .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'must not contain control characters or lone surrogates')
    .refine((text) => text.trim() !== '', 'must not be blank')
    .describe(description);
}

/** Whose memory a call is about. */
export const userIdSchema = identifier('The user whose memory this is.');

/** A persona's name as it stands in server and tool names: no path, no spaces. */
export const personaNameSchema = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/,
    'must be 1 to 64 letters, digits, "_" or "-", starting with a letter or digit',
  )
  .describe('The persona, e.g. "uozumi".');
