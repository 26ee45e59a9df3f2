import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings, silentLog } from '@contextloom/runtime';
import { createChanges } from '@contextloom/server-kit';
import { tryAuthorization } from '@contextloom/testing';
import { expect, it } from '@jest/globals';
import { createAgentMemoryServerOfUsers } from '../src/build-server.ts';
import { agentMemorySettings } from '../src/config.ts';
import { createMemoryApiOfUsers } from '../src/http/api.ts';
import { openWorkspaces } from '../src/open-workspaces.ts';
import { operationsOfUsers, restOperationsOfUsers } from '../src/operations/index.ts';

// Among the suites of processes since it opens, forgets and makes workspaces hundreds of times.
it('answers every operation on the workspaces of users as the rights of its caller say', async () => {
  const root = mkdtempSync(join(tmpdir(), 'contextloom-agent-users-'));
  const env = { AGENT_MEMORY_WORKSPACES: join(root, 'workspaces'), AGENT_MEMORY_DATA_DIR: join(root, 'data') };
  const { values } = readSettings(agentMemorySettings, env, { flags: {} });
  const edge = { clock: () => new Date(), newId: randomUUID, log: silentLog };
  const workspaces = await openWorkspaces({ ...values, ...edge });
  const options = { workspaces, isShared: false, version: '0', log: silentLog };
  const report = await tryAuthorization({
    name: 'agent-memory',
    operations: [...operationsOfUsers, ...restOperationsOfUsers],
    tools: operationsOfUsers,
    factory: createAgentMemoryServerOfUsers({ ...options, changes: createChanges({ log: silentLog }) }),
    api: createMemoryApiOfUsers(options),
    own: { user: 'ann', project: 'shop' },
  });
  await workspaces.close();
  rmSync(root, { recursive: true, force: true });
  expect(report.wrong).toEqual([]);
  expect(report.cells).toBeGreaterThan(500);
});
