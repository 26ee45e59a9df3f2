import { defineTool } from '@contextloom/mcp-kit';
import { entrySchema } from '../domain/answers.ts';
import { addSchema } from '../domain/requests.ts';
import { type AgentMemoryDeps, adds } from './deps.ts';

/** Remember something. */
export const addEntry = defineTool({
  name: 'add_entry',
  title: 'Remember something',
  description: "Writes an entry into today's log, or into MEMORY.md with long_term. Returns the entry with its id.",
  input: addSchema,
  output: entrySchema,
  annotations: adds,
  run: (request, { memory }: AgentMemoryDeps) => memory.add(request),
});
