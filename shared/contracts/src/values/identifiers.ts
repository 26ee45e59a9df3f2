import { z } from 'zod';

/** Longest user id, document id and tag, in UTF-16 code units. */
export const MAX_IDENTIFIER_LENGTH = 256;

/**
 * What decoders put in place of bytes that are not UTF-8: 张三 and 李四 from a GBK console both become a row of it, and one
 * would read the other's memory.
 */
const REPLACEMENT = '\ufffd';

/**
 * A non-empty identifier without control characters, lone surrogates or U+FFFD: two different identifiers never become equal
 * by being decoded or stored.
 * @param description what it identifies, shown to clients
 */
export function identifier(description: string) {
  return z
    .string()
    .min(1, `must be 1 to ${MAX_IDENTIFIER_LENGTH} characters`)
    .max(MAX_IDENTIFIER_LENGTH, `must be 1 to ${MAX_IDENTIFIER_LENGTH} characters`)
    .refine((text) => !/[\p{Cc}\p{Cs}]/u.test(text), 'must not contain control characters or lone surrogates')
    .refine(
      (text) => !text.includes(REPLACEMENT),
      'must not contain U+FFFD, the mark of bytes that were not UTF-8; send the text as UTF-8',
    )
    .refine((text) => text.trim() !== '', 'must not be blank')
    .describe(description);
}

/** Longest display name, in UTF-16 code units. */
export const MAX_DISPLAY_NAME_LENGTH = 64;

/** Line ends of any reader and invisible characters, except the two joiners that scripts and emoji need. */
const BROKEN_OR_UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffd]/u;
/** What roles (`<|im_start|>`, `[INST]`), headings, code and placeholders are written with. */
const MARKUP = /[<>[\]{}|`#\\]/;
/** How a list item or a rule of Markdown begins. */
const LEAD_IN = /^(?:[-=_*~]{2}|[-*+] )/;

/**
 * What a user or a persona is called. It stands inside a system prompt, so it can be nothing but a name there: one line,
 * no markup. Space around it is dropped.
 */
export const displayNameSchema = z
  .string()
  .trim()
  .max(MAX_DISPLAY_NAME_LENGTH, `must be at most ${MAX_DISPLAY_NAME_LENGTH} characters`)
  .refine((name) => !BROKEN_OR_UNSEEN.test(name), 'must be one line of visible characters')
  .refine((name) => !MARKUP.test(name), 'must not contain any of < > [ ] { } | ` # \\')
  .refine((name) => !LEAD_IN.test(name), 'must not begin like a list or a rule');

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
