import { it } from '@jest/globals';
import { killAndCheckChroma } from './chroma-kill.ts';
import { describeWithChroma } from './support/chroma-server.ts';

describeWithChroma('a Chroma server and the service in front of it, killed in the middle of writes', () => {
  it('have every acknowledged change afterwards, none twice and nothing outdated, in 8 rounds', async () => {
    await killAndCheckChroma(8);
  }, 1_200_000);
});
