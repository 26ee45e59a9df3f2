import { z } from 'zod';

/** One thing said. Clients name the speaker `role` or `speaker` and the words `content` or `text`. */
export const turnInputSchema = z.object({
  role: z.string().max(256).optional().describe('Who speaks, e.g. "user".'),
  speaker: z.string().max(256).optional().describe('The same as "role".'),
  content: z.string().optional().describe('What was said.'),
  text: z.string().optional().describe('The same as "content".'),
  timestamp: z.string().max(64).optional().describe('When it was said, ISO 8601.'),
});

/** A conversation as callers send it: a text (of "Name: words" lines, JSON or JSONL) or a list of turns. */
export const conversationHistorySchema = z
  .union([z.string(), z.array(turnInputSchema)])
  .describe('The conversation: text of "Name: words" lines, JSON, JSONL, or a list of turns.');
/** A conversation as callers send it. */
export type ConversationHistory = z.output<typeof conversationHistorySchema>;
