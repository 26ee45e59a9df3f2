import { FORGET_USER } from '@contextloom/contracts';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation, toUserHash, withHashedSubjects } from '@contextloom/server-kit';
import { type ForgottenByServer, forgetAt } from '../sources/forget-user.ts';
import { type AggregatorContext, type OperationDeps, toCallDeps } from './deps.ts';

/** The service that reads conversations. */
const READER = 'memory-processor';
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
      const names = deps.upstreams.names();
      const forget = async (servers: readonly string[]) => {
        const each = async (server: string) =>
          [server, isOwn(server) ? await forgetAt(server, request, deps) : toForeign(server)] as const;
        return Promise.all(servers.map(each));
      };
      // First what still reads conversations: it would save memories in stores that have erased theirs.
      const readers = names.filter((server) => (deps.upstreams.serviceOf(server) ?? server) === READER);
      const ofReaders = await forget(readers);
      const receipts = new Map([...ofReaders, ...(await forget(names.filter((server) => !readers.includes(server))))]);
      // Last: a prompt that was being built meanwhile may have kept an answer from before.
      if (!isDryRun) context.deps.forgetAnswers(userId);
      const found = names.map((server) => receipts.get(server)).filter((one) => one !== undefined);
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
