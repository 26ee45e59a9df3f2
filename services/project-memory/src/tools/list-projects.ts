import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { answerProjects } from '../answers.ts';
import type { MemoryDeps } from '../memory-deps.ts';
import { bounds, count, ownerFields } from '../wire-fields.ts';
import { projectsAnswerSchema } from '../wire-schemas.ts';

/** Which projects there are. */
export const listProjects = defineTool({
  name: 'mem.list_projects',
  title: 'List projects',
  description: 'Lists the projects with how many memories each has, the one with the newest memory first.',
  input: z.object({ ...ownerFields, limit: count(bounds.limit, 'Most results.').default(50) }),
  output: projectsAnswerSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: (request, deps: MemoryDeps) => answerProjects(request, deps),
});
