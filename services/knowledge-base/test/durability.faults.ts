import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from '@jest/globals';
import { killAndCheck } from './durability.ts';
import { makeFolder } from './support/service.ts';

let folder: string;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('a service killed in the middle of 2,000 writes', () => {
  it('has every acknowledged document after its restart, none twice, in 10 rounds', async () => {
    await killAndCheck(folder, 10);
  }, 1_200_000);
});
