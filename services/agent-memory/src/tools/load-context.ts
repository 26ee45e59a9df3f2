import { defineTool } from '@contextloom/mcp-kit';
import { contextAnswerSchema } from '../domain/answers.ts';
import { contextSchema } from '../domain/requests.ts';
import { type AgentMemoryDeps, reads } from './deps.ts';

/** Load the context of a prompt. */
export const loadContext = defineTool({
  name: 'load_context',
  title: 'Load the context of a prompt',
  description:
    "Returns who the agent is, whom it serves, its tools, the last days' logs, long-term memory and memories for the query, as text within a token budget, newest first; left_out names what did not fit.",
  input: contextSchema,
  output: contextAnswerSchema,
  annotations: reads,
  run: (request, { memory }: AgentMemoryDeps) => memory.loadContext(request),
});
