import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { answerSearch } from '../answers.ts';
import type { MemoryDeps } from '../memory-deps.ts';
import { asOfField, bounds, count, queryField, relatedField, scopeField, selectionFields } from '../wire-fields.ts';
import { searchAnswerSchema } from '../wire-schemas.ts';

/** The first stage of finding. */
export const search = defineTool({
  name: 'mem.search',
  title: 'Search memories',
  description:
    'First of two steps: finds memories by meaning and by word and returns a snippet of each (at most 200 characters). Then call mem.get with the ids that matter; do not answer from snippets. Without a project, all projects are searched; an unknown project gives no results.',
  input: z.object({
    ...selectionFields,
    query: queryField,
    scope: scopeField,
    ...asOfField,
    ...relatedField,
    limit: count(bounds.limit, 'Most results.').default(20),
  }),
  output: searchAnswerSchema,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run: (request, deps: MemoryDeps) => answerSearch(request, deps),
});
