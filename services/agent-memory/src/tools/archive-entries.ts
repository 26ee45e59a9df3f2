import { defineTool } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { contentTypeSchema } from '../domain/entry.ts';
import { type AgentMemoryDeps, changes } from './deps.ts';

/** Archive old memories. */
export const archiveEntries = defineTool({
  name: 'archive_entries',
  title: 'Archive old memories',
  description:
    'Moves old entries of little importance (metadata.importance; without it decision 7, manual 6, summary 5, conversation 3) from the daily logs to memory/archive, where they are neither searched nor loaded. With dry_run, the default, it only tells which.',
  input: z.object({
    older_than_days: z.number().int().min(1).max(100_000).default(365),
    max_importance: z.number().min(0).max(10).default(3),
    dry_run: z.boolean().default(true),
  }),
  output: z.object({
    dry_run: z.boolean(),
    before: z.string(),
    archived: z.number().int(),
    items: z.array(
      z.object({
        id: z.string(),
        date: z.string(),
        content_type: contentTypeSchema,
        source_file: z.string(),
        importance: z.number(),
      }),
    ),
  }),
  annotations: changes,
  run: (request, { answers }: AgentMemoryDeps) => answers.archive(request),
});
