import { expect, it } from '@jest/globals';
import { tryProjectMemory } from './authorization.contract.ts';
import { openEmbedded } from './support/databases.ts';
import { createMemory, openStore } from './support/memory.ts';

it('answers every operation as the rights of its caller say, project by project', async () => {
  const opened = await openEmbedded();
  const { memory, ownerId } = createMemory(await openStore(opened));
  const report = await tryProjectMemory({ ownerId, open: async () => memory });
  await opened.close();
  expect(report.wrong).toEqual([]);
  expect(report.cells).toBeGreaterThan(1_000);
});
