import { rm } from 'node:fs/promises';
import { toRounds } from '@contextloom/testing/rounds';
import { afterEach, beforeEach, describe, it } from '@jest/globals';
import { killAndCheck } from './durability.ts';
import { makeFolder } from './support/service.ts';

let folder: string;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const ROUNDS = toRounds(2, 10);

describe('a service killed in the middle of 2,000 writes', () => {
  it(`has every acknowledged document after its restart, none twice, in ${ROUNDS} rounds`, async () => {
    await killAndCheck({ KB_DATA_DIR: folder }, ROUNDS);
  }, 1_200_000);
});
