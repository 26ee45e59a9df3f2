import { defineTool } from '@contextloom/mcp-kit';
import { addSchema, entrySchema } from '../wire.ts';
import { type AgentMemoryDeps, adds } from './deps.ts';

/** Remember something. */
export const addEntry = defineTool({
  name: 'add_entry',
  title: 'Remember something',
  description: "Writes an entry into today's log, or into MEMORY.md with long_term. Returns the entry with its id.",
  input: addSchema,
  output: entrySchema,
  annotations: adds,
  run: (request, { answers }: AgentMemoryDeps) => answers.add(request),
});
