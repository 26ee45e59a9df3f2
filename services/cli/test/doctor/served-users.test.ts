import { join } from 'node:path';
import { installationRoot } from '@contextloom/mcp-client';
import { expect, it } from '@jest/globals';
import { addServedUsers } from '../../src/doctor/examine.ts';
import type { ServerReport } from '../../src/doctor/report.ts';

const toEntry = (service: string) => ({
  command: 'node',
  args: [join(installationRoot, `services/${service}/dist/server.js`)],
  cwd: '/',
  env: {},
});
const toReport = (multiUser: boolean): ServerReport => ({
  kind: 'own',
  settings: {
    multiUser: { value: multiUser, source: 'default', variables: ['MULTI_USER'] },
    userId: { value: 'ann', source: { env: 'USER_ID' }, variables: ['USER_ID'] },
  },
  checks: [],
});

it('names a personal memory that serves one user alone, and what to do', () => {
  const report = addServedUsers(toReport(false), toEntry('personal-memory'), '/home/ann/mcp_config.json');
  expect(report).toMatchObject({ checks: [{ name: 'users', status: 'failed' }] });
  expect(JSON.stringify(report)).toMatch(/the user ann alone.*--multi-user.*\/home\/ann\/mcp_config\.json/);
});

it('says nothing of one that serves all, of other servers, and of those of others', () => {
  const foreign: ServerReport = { kind: 'foreign', detail: 'not one of ours' };
  expect(addServedUsers(toReport(true), toEntry('personal-memory'), 'f')).toEqual(toReport(true));
  expect(addServedUsers(toReport(false), toEntry('knowledge-base'), 'f')).toEqual(toReport(false));
  expect(addServedUsers(foreign, toEntry('personal-memory'), 'f')).toBe(foreign);
});
