import { z } from 'zod';
import { withoutNulls } from './parse.ts';

const turnFields = z.object({
  id: z
    .union([z.string().max(64), z.number().transform(String)], { error: 'must be a short text or a number' })
    .optional()
    .describe('The name of the turn in its source, e.g. "D1:3".'),
  role: z.string().max(256).optional().describe('Who speaks, e.g. "user".'),
  speaker: z.string().max(256).optional().describe('The name to show for the speaker, instead of "role".'),
  content: z.string().optional().describe('What was said.'),
  text: z.string().optional().describe('The same as "content".'),
  timestamp: z
    .union([z.string().max(64), z.number()], {
      error: 'must be an ISO 8601 text, or a number of (milli)seconds since 1970',
    })
    .optional()
    .describe('When it was said: ISO 8601, or seconds or milliseconds since 1970.'),
});

/** One thing said. Clients name the speaker `role` or `speaker` and the words `content` or `text`; null counts as absent. */
export const turnInputSchema = z.preprocess(withoutNulls, turnFields);
/** One thing said, after parsing. */
export type TurnInput = z.output<typeof turnInputSchema>;

/** A conversation as callers send it: a text (of "Name: words" lines, JSON or JSONL) or a list of turns. */
export const conversationHistorySchema = z
  .union([z.string(), z.array(turnInputSchema)], { error: 'must be a text or a list of turns' })
  .describe('The conversation: text of "Name: words" lines, JSON, JSONL, or a list of turns.');
/** A conversation as callers send it. */
export type ConversationHistory = z.output<typeof conversationHistorySchema>;
