import { LIST_USERS, listUsersAnswerSchema, type Unreached, type UserCounts } from '@contextloom/contracts';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation } from '@contextloom/server-kit';
import { type ArchiveDeps, askArchive, findElsewhere } from '../sources/archive/ask-archive.ts';
import { type AggregatorContext, toCallDeps } from './deps.ts';

/** The users of one server. */
interface UsersOfServer {
  readonly server: string;
  readonly users: readonly UserCounts[];
  readonly bytes?: number | undefined;
  readonly unreached: readonly Unreached[];
}

/** Users a page. */
const LIMIT = 1_000;

/** Lists all users of a server; undefined for one that stores nothing of users. */
async function listUsersAt(server: string, signal: AbortSignal, deps: ArchiveDeps): Promise<UsersOfServer | undefined> {
  const users: UserCounts[] = [];
  for (let after: string | undefined; ; after = users.at(-1)?.user_id) {
    const args = { limit: LIMIT, ...(after !== undefined && { after }) };
    const answer = await askArchive(server, { tool: LIST_USERS, args, output: listUsersAnswerSchema, signal }, deps);
    if (answer.kind === 'none') {
      const elsewhere = await findElsewhere(server, signal, deps);
      return elsewhere && { server, users: [], unreached: [elsewhere] };
    }
    if (answer.kind === 'unreached') return { server, users, unreached: [{ what: 'its users', why: answer.why }] };
    const { users: page, bytes, unreached = [] } = answer.value;
    users.push(...page);
    if (page.length < LIMIT) return { server, users, bytes, unreached };
  }
}

interface Store {
  readonly server: string;
  readonly counts: readonly { readonly what: string; readonly count: number }[];
}

/** Lists the users of all servers of the composition. */
export const listUsers = defineOperation({
  name: LIST_USERS,
  title: 'List the users of all servers',
  description: 'Lists whose memories the servers of the composition have, and how many, by user id.',
  effect: 'reads',
  requires: 'admin',
  scope: 'none',
  ...contract.list_users,
  example: {
    input: {},
    output: {
      users: [{ user_id: 'ann', stores: [{ server: 'personal-memory', counts: [{ what: 'events', count: 3 }] }] }],
      stores: [{ server: 'personal-memory', bytes: 40_960 }],
      unreached: [],
    },
  },
  run: async (_nothing, context: AggregatorContext) => {
    const { isOwn } = context.deps.forCaller(context.principal);
    const deps = toCallDeps(context);
    // A server of others does not learn that anybody asks.
    const answers = await Promise.all(
      deps.upstreams
        .names()
        .filter(isOwn)
        .map((server) => listUsersAt(server, context.signal, deps)),
    );
    const found = answers.filter((one) => one !== undefined);
    const users = new Map<string, Store[]>();
    for (const { server, users: listed } of found) {
      for (const { user_id, counts } of listed) users.set(user_id, [...(users.get(user_id) ?? []), { server, counts }]);
    }
    const lastCalls = await readLastCalls(context);
    const byId = [...users].sort(([a], [b]) => (a < b ? -1 : 1));
    return {
      users: byId.map(([user_id, stores]) => ({ user_id, stores, ...toLastCall(lastCalls.get(user_id)) })),
      stores: found
        .filter(({ unreached, bytes }) => unreached.length === 0 || bytes !== undefined)
        .map(({ server, bytes }) => ({ server, ...(bytes !== undefined && { bytes }) })),
      unreached: found.flatMap(({ server, unreached }) => unreached.map((one) => ({ server, ...one }))),
    };
  },
});

/** When each user was last looked up. The listing itself names nobody. */
async function readLastCalls({ deps: { access } }: AggregatorContext): Promise<ReadonlyMap<string, string>> {
  const oldestFirst = ((await access?.activity.list()) ?? []).toReversed();
  return new Map(oldestFirst.flatMap(({ time, subjects }) => subjects.map((one) => [one, time] as const)));
}

const toLastCall = (time: string | undefined): { readonly last_call_at?: string } =>
  time === undefined ? {} : { last_call_at: time };
