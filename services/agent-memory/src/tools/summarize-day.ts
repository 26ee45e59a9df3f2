import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { summarySchema } from '../domain/answers.ts';
import { dateSchema } from '../domain/files.ts';
import { type AgentMemoryDeps, changes } from './deps.ts';

/** Summarise a day. */
export const summarizeDay = defineTool({
  name: 'summarize_day',
  title: 'Summarise a day',
  description:
    "Writes a summary into a day's log, by the chat model if there is one, else by rules that choose among its entries. Replaces the summary that is there.",
  input: z.object({ date: dateSchema.optional().describe('The day; today when absent.') }),
  output: summarySchema,
  annotations: changes,
  run: ({ date }, { memory }: AgentMemoryDeps, { signal }) => memory.summarizeDay(date, signal),
});
