import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { openFor, type ProjectMemoryContext } from '../deps.ts';
import { idSubject } from '../subject.ts';
import { bounds, count, ownerFields } from '../wire-schemas.ts';

/** Which projects there are. */
export const listProjects = defineOperation({
  name: 'mem.list_projects',
  title: 'List projects',
  description: 'Lists the projects with how many memories each has, the one with the newest memory first.',
  effect: 'reads',
  scope: 'project',
  subject: idSubject,
  input: z.object({ ...ownerFields, limit: count(bounds.limit, 'Most results.').default(50) }),
  output: z.object({
    results: z.array(
      z.object({
        owner_id: z.string(),
        project_key: z.string(),
        machine_name: z.string().nullable(),
        project_path: z.string().nullable(),
        project_name: z.string(),
        memory_count: z.number(),
        latest_ts: z.number().nullable(),
      }),
    ),
    metadata: z.object({ returned: z.number() }),
  }),
  example: {
    input: { limit: 10 },
    output: {
      results: [
        {
          owner_id: 'default',
          project_key: 'agent-mem',
          machine_name: null,
          project_path: null,
          project_name: 'agent-mem',
          memory_count: 1,
          latest_ts: 1_768_912_345,
        },
      ],
      metadata: { returned: 1 },
    },
  },
  route: {
    method: 'get',
    path: '/projects',
    summary: 'Lists projects, the one with the newest memory first.',
    errors: ['invalid', 'forbidden', 'unavailable'],
    refusesUnknown: true,
  },
  run: async ({ limit, ...owned }, context: ProjectMemoryContext) => {
    const projects = await (await openFor(owned, context)).projects(limit);
    const results = projects.map(({ ownerId, key, name, machineName, path, memoryCount, latestTs }) => ({
      owner_id: ownerId,
      project_key: key,
      machine_name: machineName ?? null,
      project_path: path ?? null,
      project_name: name,
      memory_count: memoryCount,
      latest_ts: latestTs ?? null,
    }));
    return { results, metadata: { returned: results.length } };
  },
});
