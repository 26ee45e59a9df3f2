import { projectMemory as contract } from '@contextloom/contracts/project-memory';
import { defineOperation } from '@contextloom/server-kit';
import { openFor, type ProjectMemoryContext } from './deps.ts';
import { idSubject, selectionSubject } from './subject.ts';

/** How conflicts were settled. */
export const arbitrations = defineOperation({
  name: 'mem.arbitrations',
  title: 'List arbitrations',
  description:
    'Lists how new memories were settled against stored ones of the same subject (REPLACE, KEEP_BOTH, SKIP), newest first; of one memory with id.',
  effect: 'reads',
  scope: 'project',
  subject: selectionSubject,
  ...contract['mem.arbitrations'],
  example: {
    input: { project_key: 'agent-mem', limit: 1 },
    output: {
      results: [
        {
          arbitration_id: 1,
          project_key: 'agent-mem',
          action: 'REPLACE',
          candidate_memory_id: 'mem_1f0c',
          new_memory_id: null,
          similarity: 0.93,
          old_summary: 'Vectors are kept in files.',
          new_summary: 'Vectors are kept in pgvector.',
          model: 'gpt-5-mini',
          created_at: '2026-01-20T12:32:25.000Z',
          rolled_back_at: null,
        },
      ],
      metadata: { returned: 1 },
    },
  },
  route: {
    method: 'get',
    path: '/arbitrations',
    summary: 'Lists how conflicts were settled, newest first.',
    errors: ['invalid', 'forbidden', 'unavailable'],
    refusesUnknown: true,
  },
  run: async ({ owner_id, limit, ...query }, context: ProjectMemoryContext) => {
    const arbitrations = await (await openFor({ owner_id }, context)).arbitrations(query, limit);
    const results = arbitrations.map((arbitration) => ({
      arbitration_id: arbitration.id,
      project_key: arbitration.projectKey,
      action: arbitration.action,
      candidate_memory_id: arbitration.candidateId ?? null,
      new_memory_id: arbitration.newId ?? null,
      similarity: arbitration.similarity,
      old_summary: arbitration.oldSummary,
      new_summary: arbitration.newSummary,
      model: arbitration.model ?? null,
      created_at: arbitration.createdAt,
      rolled_back_at: arbitration.rolledBackAt ?? null,
    }));
    return { results, metadata: { returned: results.length } };
  },
});

/** Takes a verdict back. */
export const rollbackArbitration = defineOperation({
  name: 'mem.rollback_arbitration',
  title: 'Roll back an arbitration',
  description:
    'Undoes an arbitration: after REPLACE the memory says again what it said before, and the replacement stays in its versions; after SKIP the text that was left out becomes a memory of its own.',
  effect: 'replaces',
  hints: { isIdempotent: false },
  scope: 'project',
  subject: idSubject,
  ...contract['mem.rollback_arbitration'],
  example: {
    input: { arbitration_id: 1 },
    output: { arbitration_id: 1, id: 'mem_1f0c', status: 'restored' },
  },
  route: {
    method: 'post',
    path: '/arbitrations/rollback',
    summary: 'Undoes an arbitration.',
    errors: ['invalid', 'forbidden', 'not_found', 'conflict', 'unavailable'],
    refusesUnknown: true,
  },
  run: async ({ arbitration_id, ...owned }, context: ProjectMemoryContext) => ({
    arbitration_id,
    ...(await (await openFor(owned, context)).rollback(arbitration_id)),
  }),
});
