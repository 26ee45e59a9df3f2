import { defineTool } from '@contextloom/mcp-kit';
import { archiveReportSchema } from '../domain/answers.ts';
import { archiveSchema } from '../domain/requests.ts';
import { type AgentMemoryDeps, changes } from './deps.ts';

/** Archive old memories. */
export const archiveEntries = defineTool({
  name: 'archive_entries',
  title: 'Archive old memories',
  description:
    'Moves old entries of little importance (metadata.importance; without it decision 7, manual 6, summary 5, conversation 3) from the daily logs to memory/archive, where they are neither searched nor loaded. With dry_run, the default, it only tells which.',
  input: archiveSchema,
  output: archiveReportSchema,
  annotations: changes,
  run: (request, { memory }: AgentMemoryDeps) => memory.archive(request),
});
