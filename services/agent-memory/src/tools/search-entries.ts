import { defineTool } from '@contextloom/mcp-kit';
import { searchAnswerSchema } from '../domain/answers.ts';
import { searchSchema } from '../domain/requests.ts';
import { type AgentMemoryDeps, reads } from './deps.ts';

/** Search memories. */
export const searchEntries = defineTool({
  name: 'search_entries',
  title: 'Search memories',
  description:
    'Finds entries of the daily logs and MEMORY.md by meaning and by word, best first. Returns items with entry, score, vector_score and text_score (all 0 to 1).',
  input: searchSchema,
  output: searchAnswerSchema,
  annotations: reads,
  run: (request, { memory }: AgentMemoryDeps) => memory.search(request),
});
