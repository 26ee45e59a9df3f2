import {
  COUNT_WAITING,
  countWaitingAnswerSchema,
  EXPORT_USER,
  exportPageSchema,
  exportUserSchema,
  IMPORT_USER,
  importReportSchema,
  importUserSchema,
  LIST_USERS,
  type ListUsersAnswer,
  listUsersAnswerSchema,
  listUsersSchema,
  type UserStore,
  type UsersPage,
} from '@contextloom/contracts';
import { withoutPrivateInLine } from '@contextloom/safety/private';
import { z } from 'zod';
import type { OperationContext } from './context.ts';
import { defineForgetUser } from './forget-user.ts';
import { defineOperation, type Operation } from './operation.ts';

/** How a server hands its store of memories out. */
export interface UserStoreOptions<Deps> {
  /** The store as a caller reaches it. @throws ContextloomError `forbidden` */
  readonly store: (context: OperationContext<Deps>) => UserStore;
  /** What the lines of an export are, and the newest version that is read. */
  readonly lines: { readonly format: string; readonly version: number };
  /** What is handed out, as the description says it: `the profile, entities and events`. */
  readonly exports: string;
  /** What is erased; the same as is handed out without it. */
  readonly erases?: string;
  /** `none` where the server is one user's, and says itself who reaches it; `user` without it. */
  readonly scope?: 'user' | 'none';
  /** Whether they are called over REST too. */
  readonly isRouted?: boolean;
}

const exampleLines = { version: 1, lines: '{"key":"city","value":"Leith"}\n' };

function toRoute({ isRouted = false }: Pick<UserStoreOptions<never>, 'isRouted'>, path: string) {
  const errors = ['conflict', 'no_space', 'unavailable'] as const;
  return isRouted ? { route: { method: 'post' as const, path, errors } } : {};
}

/** The operations of a store of memories, the same in all servers: forgetting, what waits, users, export and import, in the order that clients see. */
export function defineUserStoreOperations<Deps>(options: UserStoreOptions<Deps>): readonly Operation<Deps>[] {
  const { store, scope, exports, erases = exports, isRouted = false } = options;
  return [
    defineForgetUser<Deps>({
      erases,
      scope,
      path: isRouted ? '/forget_user' : undefined,
      forget: async ({ userId, isDryRun }, context) => store(context).forget(userId, isDryRun),
    }),
    defineCountWaiting(options),
    defineListUsers(options),
    defineExportUser(options),
    defineImportUser(options),
  ];
}

function defineCountWaiting<Deps>({ store, isRouted = false }: UserStoreOptions<Deps>): Operation<Deps> {
  return defineOperation({
    name: COUNT_WAITING,
    title: 'Count what waits for its vector',
    description: 'Counts the texts, of all users, that were stored while the embedder was away and have no vector yet.',
    effect: 'reads',
    // It counts the texts of every user.
    requires: 'admin',
    scope: 'none',
    input: z.object({}),
    output: countWaitingAnswerSchema,
    example: { input: {}, output: { waiting_count: 0 } },
    ...(isRouted && { route: { method: 'get' as const, path: '/waiting', errors: ['unavailable'] as const } }),
    run: async (_nothing, context: OperationContext<Deps>) => ({ waiting_count: await store(context).countWaiting() }),
  });
}

function defineListUsers<Deps>(options: UserStoreOptions<Deps>): Operation<Deps> {
  return defineOperation({
    name: LIST_USERS,
    title: 'List the users',
    description:
      'Lists whose memories this server has, and how many, by user id. The next page: after is the last id of this one.',
    effect: 'reads',
    requires: 'admin',
    scope: 'none',
    input: listUsersSchema,
    output: listUsersAnswerSchema,
    example: {
      input: {},
      output: { users: [{ user_id: 'ann', counts: [{ what: 'events', count: 3 }] }], bytes: 40_960 },
    },
    ...toRoute(options, '/list_users'),
    run: async (page, context: OperationContext<Deps>) => {
      const store = options.store(context);
      const { users: reached } = context.principal;
      // What others take up is not theirs to know.
      return reached === 'all' ? store.users(page) : { users: await listReached(reached, page, store) };
    },
  });
}

/** Reads on until enough of the users are found whom a caller reaches. */
async function listReached(
  reached: readonly string[],
  { after, limit }: UsersPage,
  store: UserStore,
): Promise<ListUsersAnswer['users']> {
  const wanted = new Set(reached);
  const found: ListUsersAnswer['users'][number][] = [];
  for (let from = after; found.length < limit; ) {
    const { users } = await store.users({ after: from, limit: 1_000 });
    found.push(...users.filter(({ user_id }) => wanted.has(user_id)));
    if (users.length < 1_000) break;
    from = users.at(-1)?.user_id;
  }
  return found.slice(0, limit);
}

function defineExportUser<Deps>(options: UserStoreOptions<Deps>): Operation<Deps> {
  const { scope = 'user', exports, store } = options;
  return defineOperation({
    name: EXPORT_USER,
    title: 'Export a user',
    description: `Hands out ${exports} of a user page by page as JSON Lines, which import_user takes back with the same ids.`,
    effect: 'reads',
    // Everything about a person: a key that reads for an application need not be able to carry it off.
    requires: 'admin',
    scope,
    input: exportUserSchema,
    output: exportPageSchema,
    example: {
      input: { user_id: 'ann' },
      output: { format: 'contextloom-personal-memory', ...exampleLines, unreached: [] },
    },
    ...toRoute(options, '/export_user'),
    run: async ({ user_id: userId, cursor }, context: OperationContext<Deps>) =>
      store(context).exportUser(userId, cursor),
  });
}

function defineImportUser<Deps>(options: UserStoreOptions<Deps>): Operation<Deps> {
  const { scope = 'user', store, lines: written } = options;
  const { format, version } = importUserSchema.shape;
  return defineOperation({
    name: IMPORT_USER,
    title: 'Import a user',
    description: 'Takes in the lines of export_user, in their order. What is there already is not added again.',
    effect: 'replaces',
    requires: 'admin',
    scope,
    input: importUserSchema.safeExtend({
      format: format.pipe(z.literal(written.format, `must be ${written.format}`)),
      version: version.max(written.version, `must be at most ${written.version}: a newer program wrote it`),
    }),
    output: importReportSchema,
    example: {
      input: { user_id: 'ann', format: written.format, ...exampleLines },
      output: { imported: 1, known: 0, refused: [], refused_count: 0 },
    },
    ...toRoute(options, '/import_user'),
    leaveOut: 'self',
    run: async ({ user_id: userId, lines }, context: OperationContext<Deps>) => {
      const records = lines
        .split('\n')
        .filter((line) => line !== '')
        .map(withoutPrivateInLine);
      return store(context).importUser(userId, records);
    },
  });
}
