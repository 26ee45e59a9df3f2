import { expect, it } from '@jest/globals';
import { checkEditing } from './editing.ts';
import { checkGrammar } from './grammar-property.ts';
import { killServers } from './kill-servers.ts';
import { changes, killAtEachStep, killBetweenFileAndIndex } from './killing.ts';
import { checkWorkspace } from './workspace-property.ts';

it('the grammar loses nothing of any file', () => {
  checkGrammar(2_500);
  expect.hasAssertions();
});

it('tools and a person in turns lose nothing of each other, and the index follows', async () => {
  await checkWorkspace(1_000);
  expect.hasAssertions();
});

it('a person and the agent lose nothing of each other in 1,000 saves', () => checkEditing(1_000));

it.each(changes)('a kill at any step of a write leaves all or nothing of it: %s', async (change) => {
  expect(await killAtEachStep(change)).toBeGreaterThan(8);
  await killBetweenFileAndIndex(change);
});

it('servers that are killed at any moment lose nothing that they acknowledged', () => killServers(25));
