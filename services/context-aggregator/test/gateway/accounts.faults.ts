import { expect, it } from '@jest/globals';
import { callMixed, startAccountGateway } from '../support/account-gateway.ts';

it('answers none of 1,000 mixed calls of two callers over the account of the other', async () => {
  const gateway = await startAccountGateway();
  try {
    const { calls, wrong, mixed, replayed, refreshed } = await callMixed(gateway, 20);
    expect({ calls, wrong, mixed, replayed }).toEqual({ calls: 1_000, wrong: 0, mixed: 0, replayed: 0 });
    expect(refreshed).toBeGreaterThanOrEqual(2);
  } finally {
    await gateway.close();
  }
});
