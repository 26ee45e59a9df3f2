import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { spawnCli } from './fixtures/spawn-cli.ts';

it('several commands that make a key at once make one each', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-keys-'));
  const env = { CONTEXTLOOM_KEYS_FILE: join(folder, 'keys.json') };
  const names = ['one', 'two', 'three', 'four'];
  const making = names.map((name) => spawnCli(['keys', 'add', name], env));
  expect(await Promise.all(making.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
  expect(new Set(making.map((cli) => cli.stdout().split('\n')[0])).size).toBe(4);
  const listing = spawnCli(['keys', 'list', '--json'], env);
  await listing.ended;
  const { keys } = JSON.parse(listing.stdout()) as { keys: readonly { name: string }[] };
  expect(keys.map(({ name }) => name).sort()).toEqual([...names].sort());
  await rm(folder, { recursive: true });
});
