import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { initSchema } from '../domain/answers.ts';
import { languages } from '../domain/titles.ts';
import { type AgentMemoryDeps, adds } from './deps.ts';

/** Make the files. */
export const initIdentity = defineTool({
  name: 'init_identity',
  title: 'Make the files',
  description:
    'Makes SPIRIT.md, OWNER.md, TOOLS.md and MEMORY.md with empty sections where they are missing; never overwrites one.',
  input: z.object({
    language: z
      .enum(languages)
      .optional()
      .describe('The language of their headings; that of the workspace when absent.'),
  }),
  output: initSchema,
  annotations: adds,
  run: ({ language }, { memory }: AgentMemoryDeps) => memory.identity.init(language),
});
