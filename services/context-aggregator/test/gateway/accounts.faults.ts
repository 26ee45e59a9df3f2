import { toRounds } from '@contextloom/testing/rounds';
import { expect, it } from '@jest/globals';
import { callMixed, startAccountGateway } from '../support/account-gateway.ts';

/** Of 50 calls each; tokens end in each fourth, and sessions in another. */
const ROUNDS = toRounds(5, 20);

it(`answers none of ${50 * ROUNDS} mixed calls of two callers over the account of the other`, async () => {
  const gateway = await startAccountGateway();
  try {
    const { calls, wrong, mixed, replayed, refreshed } = await callMixed(gateway, ROUNDS);
    expect({ calls, wrong, mixed, replayed }).toEqual({ calls: 50 * ROUNDS, wrong: 0, mixed: 0, replayed: 0 });
    expect(refreshed).toBeGreaterThanOrEqual(2);
  } finally {
    await gateway.close();
  }
});
