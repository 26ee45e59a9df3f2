import { defineTool } from '@contextloom/mcp-kit';
import { entryPageSchema } from '../domain/answers.ts';
import { listSchema } from '../domain/requests.ts';
import { type AgentMemoryDeps, reads } from './deps.ts';

/** List memories. */
export const listEntries = defineTool({
  name: 'list_entries',
  title: 'List memories',
  description: 'Lists entries, newest first, by type and days. Returns items and total.',
  input: listSchema,
  output: entryPageSchema,
  annotations: reads,
  run: (request, { memory }: AgentMemoryDeps) => memory.list(request),
});
