import { tryAuthorization } from '@contextloom/testing';
import { expect, it } from '@jest/globals';
import { startLocalService } from '../../knowledge-base/test/support/local-service.ts';
import { operations } from '../src/operations/index.ts';
import { openTestServer, openTestStore } from './support/service.ts';

it.each([
  ['the one user whose memory it is', 'ann', { serves: 'user' } as const],
  ['the user whom each call names', undefined, {}],
])('answers every operation as the rights of its caller say, for %s', async (_name, userId, serves) => {
  const service = await startLocalService();
  const server = await openTestServer(userId, { store: openTestStore(service.url) });
  const own = { user: 'ann', project: 'shop' };
  const report = await tryAuthorization({ name: 'typed-memory', operations, ...server, own, ...serves });
  await service.stop();
  expect(report.wrong).toEqual([]);
  expect(report.cells).toBeGreaterThan(300);
});
