import { z } from 'zod';
import { withoutNulls } from './parse.ts';

/** A part of a message, as OpenAI, Anthropic, Gemini and the AI SDK write it; what is of no use here is passed over. */
const contentPartSchema = z.looseObject({
  type: z.string().optional().describe('"text", "image", …; a part without a type is text.'),
  text: z.string().optional().describe('What was said, in a part of text.'),
  mediaType: z.string().optional(),
});

const TEXT_TYPES = new Set(['text', 'input_text', 'output_text']);
const IMAGE_TYPES = new Set(['image', 'image_url', 'input_image']);

function toWords({ type = 'text', text, mediaType }: z.output<typeof contentPartSchema>): string[] {
  if (TEXT_TYPES.has(type)) return text === undefined ? [] : [text];
  const isImage = IMAGE_TYPES.has(type) || (type === 'file' && mediaType?.startsWith('image/') === true);
  return isImage ? ['[image]'] : [];
}

/** Text parts one under the other, `[image]` for an image; calls of tools, their results and reasoning are left out. */
const contentPartsSchema = z
  .array(contentPartSchema, { error: 'must be text or a list of content parts' })
  .transform((parts) => parts.flatMap(toWords).join('\n'));

const turnFields = z.object({
  id: z
    .union([z.string().max(64), z.number().transform(String)], { error: 'must be a short text or a number' })
    .optional()
    .describe('The name of the turn in its source, e.g. "D1:3".'),
  role: z.string().max(256).optional().describe('Who speaks, e.g. "user".'),
  speaker: z.string().max(256).optional().describe('The name to show for the speaker, instead of "role".'),
  content: z
    .union([z.string(), contentPartsSchema], { error: 'must be text or a list of content parts' })
    .optional()
    .describe('What was said: text, or a list of content parts.'),
  parts: contentPartsSchema.optional().describe('The same as "content", as a list of parts.'),
  text: z.string().optional().describe('The same as "content".'),
  timestamp: z
    .union([z.string().max(64), z.number()], {
      error: 'must be an ISO 8601 text, or a number of (milli)seconds since 1970',
    })
    .optional()
    .describe('When it was said: ISO 8601, or seconds or milliseconds since 1970.'),
});

/** Null counts as absent; but `content: null`, as of an assistant that calls a tool, is a turn in which nothing is said. */
function withoutNullFields(value: unknown): unknown {
  const isSilent = typeof value === 'object' && value !== null && 'content' in value && value.content === null;
  const fields = withoutNulls(value);
  return isSilent ? { text: '', ...Object(fields) } : fields;
}

/** One thing said. Clients name the speaker `role` or `speaker` and the words `content`, `parts` or `text`; null counts as absent. */
export const turnInputSchema = z.preprocess(
  withoutNullFields,
  turnFields.transform(({ parts, ...turn }) => ({ ...(parts !== undefined && { content: parts }), ...turn })),
);
/** One thing said, after parsing. */
export type TurnInput = z.output<typeof turnInputSchema>;

/** A conversation as callers send it: a text (of "Name: words" lines, JSON or JSONL) or a list of turns. */
export const conversationHistorySchema = z
  .union([z.string(), z.array(turnInputSchema)], { error: 'must be a text or a list of turns' })
  .describe('The conversation: text of "Name: words" lines, JSON, JSONL, or a list of turns.');
/** A conversation as callers send it. */
export type ConversationHistory = z.output<typeof conversationHistorySchema>;
