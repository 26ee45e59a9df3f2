import { FORGET_USER } from '@contextloom/contracts';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation, toUserHash, withHashedSubjects } from '@contextloom/server-kit';
import { type ForgottenByServer, forgetAt } from '../sources/forget-user.ts';
import { type AggregatorContext, type OperationDeps, toCallDeps } from './deps.ts';

const FOREIGN = 'is not a server of this product: whoever runs it can say what it stores, and erase it';

/** A server of others may store something, or not: it does not learn who is forgotten. */
const toForeign = (server: string): ForgottenByServer => ({
  server,
  erased: [],
  total: 0,
  unreached: [{ what: 'what it may store', why: FOREIGN }],
});

/** Forgets a user in all servers of the composition. */
export const forgetUser = withHashedSubjects<OperationDeps>(
  defineOperation({
    name: FORGET_USER,
    title: 'Forget a user in all servers',
    description:
      'Erases everything that the servers of the composition store of a user, for good, and answers a receipt. Counts only, unless dry_run is false.',
    effect: 'deletes',
    requires: 'admin',
    scope: 'user',
    ...contract.forget_user,
    example: {
      input: { user_id: 'ann', dry_run: true },
      output: {
        user_sha256: toUserHash('ann'),
        dry_run: true,
        at: '2026-03-02T09:30:00.000Z',
        servers: [{ server: 'personal-memory', erased: [{ what: 'events', count: 3 }], total: 3 }],
        total: 3,
        unreached: [],
      },
    },
    run: async ({ user_id: userId, dry_run: isDryRun }, context: AggregatorContext) => {
      const { isOwn } = context.deps.forCaller(context.principal);
      const deps = toCallDeps(context);
      const request = { userId, isDryRun, signal: context.signal };
      const asked = await Promise.all(
        deps.upstreams.names().map((server) => (isOwn(server) ? forgetAt(server, request, deps) : toForeign(server))),
      );
      // Last: a prompt that was being built meanwhile may have kept an answer from before.
      if (!isDryRun) context.deps.forgetAnswers(userId);
      const found = asked.filter((one) => one !== undefined);
      return {
        user_sha256: toUserHash(userId),
        dry_run: isDryRun,
        at: deps.clock().toISOString(),
        servers: found.map(({ server, erased, total }) => ({ server, erased, total })),
        total: found.reduce((sum, { total }) => sum + total, 0),
        unreached: found.flatMap(({ server, unreached }) => unreached.map((one) => ({ server, ...one }))),
      };
    },
  }),
);
