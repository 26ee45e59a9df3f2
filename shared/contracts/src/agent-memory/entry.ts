import { z } from 'zod';
import { freeFormObject, isWellFormed } from '../values/json.ts';

/** What a memory can be. */
export const contentTypes = ['conversation', 'decision', 'summary', 'manual'] as const;
/** One of {@link contentTypes}. */
export type ContentType = (typeof contentTypes)[number];

/** Most characters (Unicode code points) of an entry. */
export const MAX_CONTENT_LENGTH = 10_000;
const MAX_METADATA_LENGTH = 20_000;

/** The text of an entry as tools take it. Line ends become `\n`, so that the file keeps its own; those at the end go. */
export const contentSchema = z
  .string()
  .transform((text) => withoutLineEnds(text.replace(/\r\n?/g, '\n')))
  .superRefine((text, context) => {
    const problem = findContentProblem(text);
    if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
  });

/** A regular expression would start again at each of many line ends that are not at the end. */
function withoutLineEnds(text: string): string {
  let end = text.length;
  while (text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}

function findContentProblem(text: string): string | undefined {
  if (text.trim() === '') return 'must not be empty';
  // A code point takes two units at most: no need to count where that is too many.
  if (text.length > 2 * MAX_CONTENT_LENGTH || [...text].length > MAX_CONTENT_LENGTH) {
    return `must be at most ${MAX_CONTENT_LENGTH} characters`;
  }
  if (!isWellFormed(text)) return 'contains a lone surrogate';
  if (text.includes('\0') || text.includes('\uFEFF')) return 'contains a character that text files cannot have';
  return undefined;
}

/** The type of an entry as tools take it. */
export const contentTypeSchema = z.enum(contentTypes);

/** Free metadata of an entry, which stands in the file with its id. */
export const metadataSchema = freeFormObject(
  'Anything to keep with the entry: tags, session_id, importance (0 to 10) …',
).refine((metadata) => JSON.stringify(metadata).length <= MAX_METADATA_LENGTH, {
  error: `must be at most ${MAX_METADATA_LENGTH} characters as JSON`,
});

/** What an entry is called in the place of its type's word, as tools take it. */
export const labelSchema = z
  .string()
  .trim()
  // Signs of number at its end would be the end of a heading.
  .regex(
    /^(?!.*(?:^|[ \t])#+$)[^\][\p{Cc}\p{Cs}\u2028\u2029\uFEFF]{2,60}$/u,
    'must be 2 to 60 characters on one line, without brackets and without # at its end',
  );
