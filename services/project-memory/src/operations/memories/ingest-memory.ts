import { ContextloomError } from '@contextloom/contracts';
import { projectMemory as contract } from '@contextloom/contracts/project-memory';
import { defineOperation } from '@contextloom/server-kit';
import { openFor, type ProjectMemoryContext } from '../deps.ts';
import { projectSubject } from '../subject.ts';

/** Takes a memory in; everything but the text and its type is worked out here. */
export const ingestMemory = defineOperation({
  name: 'mem.ingest_memory',
  title: 'Ingest a memory',
  description:
    'Stores what was learned about a project: requirement, plan, development, testing or insight. Name the project (project_key, or project_name). The server makes the summary, tags and index itself, and where a stored memory is about the same subject, the new one may take its place (status updated, same id) or be left out as nothing new (skipped). If the answer names candidates that the text supersedes, send it again with replaces. Do not send source.',
  effect: 'adds',
  hints: { isOpenWorld: true },
  scope: 'project',
  subject: projectSubject,
  ...contract['mem.ingest_memory'],
  example: {
    input: { project_name: 'agent-mem', content_type: 'development', content: 'Vectors are kept in pgvector.' },
    output: { id: 'mem_1f0c', status: 'created', ts: 1_768_912_345 },
  },
  route: {
    method: 'post',
    path: '/ingest/memory',
    summary: 'Takes a memory in.',
    note: 'What is about the same subject as a stored memory may take its place (updated) or be left out (skipped).',
    errors: ['invalid', 'forbidden', 'too_large', 'unavailable'],
    refusesUnknown: true,
  },
  run: async (request, context: ProjectMemoryContext) => {
    if ('source' in request) {
      throw new ContextloomError('invalid', 'source is not taken any more: leave it out', { field: 'source' });
    }
    const { candidates, ...answer } = await (await openFor(request, context)).ingest(request);
    if (candidates.length === 0) return answer;
    return {
      ...answer,
      candidates: candidates.map(({ id, contentType, summary, similarity }) => ({
        id,
        content_type: contentType,
        summary,
        similarity,
      })),
    };
  },
});
