import { ContextloomError } from '@contextloom/contracts';
import { expect, it } from '@jest/globals';
import { tryProjectMemory } from './authorization.contract.ts';

it('answers every operation as the rights of its caller say, also while the database cannot be reached', async () => {
  const open = () => Promise.reject(new ContextloomError('unavailable', 'the database cannot be reached'));
  const report = await tryProjectMemory({ ownerId: 'team', open });
  expect(report.wrong).toEqual([]);
  expect(report.cells).toBeGreaterThan(1_000);
});
