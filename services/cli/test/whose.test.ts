import { describe, expect, it } from '@jest/globals';
import type { Aggregator } from '../src/aggregator.ts';
import { findOnlyUser } from '../src/whose.ts';

/** An aggregator whose stores name these users, and of which some did not answer. */
const toAggregator = (users: readonly string[], ...away: string[]): Pick<Aggregator, 'call'> => {
  const answer = {
    users: users.map((user_id) => ({ user_id, stores: [] })),
    stores: [],
    unreached: away.map((server) => ({ server, what: 'its users', why: 'it cannot be started' })),
  };
  return { call: async () => answer as never };
};

describe('whose memories a command is about', () => {
  it('is the one person there is, and where there is nobody who is usual', async () => {
    expect(await findOnlyUser(toAggregator(['ann']))).toBe('ann');
    expect(await findOnlyUser(toAggregator([]), 'una')).toBe('una');
    await expect(findOnlyUser(toAggregator([]))).rejects.toMatchObject({ field: '--user' });
  });

  it('is asked for where there are several, which are named', async () => {
    await expect(findOnlyUser(toAggregator(['ann', 'ben']))).rejects.toThrow('there are those of ann, ben');
  });

  it.each([[['ann']], [[]]])('is asked for where a store did not answer, which may have others: %j', async (users) => {
    await expect(findOnlyUser(toAggregator(users, 'knowledge-base'), 'una')).rejects.toThrow(
      '--user says whose memories: knowledge-base did not say (it cannot be started)',
    );
  });
});
