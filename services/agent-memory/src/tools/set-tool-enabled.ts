import { defineTool } from '@contextloom/mcp-kit';
import { toolSchema } from '../domain/answers.ts';
import { toolNameSchema, toolSwitchSchema } from '../domain/requests.ts';
import { type AgentMemoryDeps, changes } from './deps.ts';

/** Turn a tool on or off. */
export const setToolEnabled = defineTool({
  name: 'set_tool_enabled',
  title: 'Turn a tool on or off',
  description: 'Turns a tool of TOOLS.md on or off; load_context names those alone that are on.',
  input: toolSwitchSchema.extend({ name: toolNameSchema }),
  output: toolSchema,
  annotations: changes,
  run: ({ name, enabled }, { memory }: AgentMemoryDeps) => memory.identity.setTool(name, enabled),
});
