import { toRounds } from '@contextloom/testing/rounds';
import { it } from '@jest/globals';
import { killAndCheckChroma } from './chroma-kill.ts';
import { describeWithChroma } from './support/chroma-server.ts';

/** The service is killed in each third, its Chroma server in the others. */
const ROUNDS = toRounds(3, 8);

describeWithChroma('a Chroma server and the service in front of it, killed in the middle of writes', () => {
  it(`have every acknowledged change afterwards, none twice and nothing outdated, in ${ROUNDS} rounds`, async () => {
    await killAndCheckChroma(ROUNDS);
  }, 1_200_000);
});
