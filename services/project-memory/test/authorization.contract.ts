import { silentLog } from '@contextloom/runtime';
import { tryAuthorization } from '@contextloom/testing';
import { createProjectMemoryApi, createProjectMemoryServer } from '../src/build-server.ts';
import { createMetrics } from '../src/metrics.ts';
import type { ProjectMemoryDeps } from '../src/operations/deps.ts';
import { operations } from '../src/operations/index.ts';
import { NOW } from './support/memory.ts';

/** Tries out the rights of callers of the project memory, whatever stands behind it. */
export function tryProjectMemory(deps: ProjectMemoryDeps) {
  const options = { ...deps, version: '0', log: silentLog };
  return tryAuthorization({
    name: 'project-memory',
    operations,
    factory: createProjectMemoryServer(options),
    api: createProjectMemoryApi({ ...options, clock: () => NOW, token: undefined, metrics: createMetrics() }),
    own: { user: 'ann', project: 'agent-mem' },
  });
}
