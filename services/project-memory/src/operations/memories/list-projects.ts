import { projectMemory as contract } from '@contextloom/contracts/project-memory';
import { defineOperation } from '@contextloom/server-kit';
import { openFor, type ProjectMemoryContext } from '../deps.ts';
import { idSubject } from '../subject.ts';

/** Which projects there are. */
export const listProjects = defineOperation({
  name: 'mem.list_projects',
  title: 'List projects',
  description: 'Lists the projects with how many memories each has, the one with the newest memory first.',
  effect: 'reads',
  scope: 'project',
  subject: idSubject,
  ...contract['mem.list_projects'],
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
