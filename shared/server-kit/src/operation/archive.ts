import {
  EXPORT_USER,
  type ExportPage,
  exportPageSchema,
  exportUserSchema,
  IMPORT_USER,
  type ImportReport,
  importReportSchema,
  importUserSchema,
  LIST_USERS,
  type ListUsersAnswer,
  listUsersAnswerSchema,
  listUsersSchema,
} from '@contextloom/contracts';
import { z } from 'zod';
import type { OperationContext } from './context.ts';
import { defineOperation, type Operation } from './operation.ts';

/** Where an operation is called over REST; without it only over MCP. */
interface Routed {
  readonly path?: string;
}

const errors = ['conflict', 'no_space', 'unavailable'] as const;

const toRoute = ({ path }: Routed) => (path === undefined ? {} : { route: { method: 'post' as const, path, errors } });

/** How a server lists its users. */
export interface ListUsersOptions<Deps> extends Routed {
  /** The users whose id sorts after `after`, at most `limit`, by id. */
  readonly list: (
    page: { readonly after: string | undefined; readonly limit: number },
    context: OperationContext<Deps>,
  ) => Promise<ListUsersAnswer>;
}

/** The operation by which a server lists its users, the same in all of them; a caller sees those that it reaches. */
export function defineListUsers<Deps>({ list, ...routed }: ListUsersOptions<Deps>): Operation<Deps> {
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
    ...toRoute(routed),
    run: async ({ after, limit }, context: OperationContext<Deps>) => {
      const { users: reached } = context.principal;
      if (reached === 'all') return list({ after, limit }, context);
      // What others take up is not theirs to know.
      const known = await listReached(reached, after, limit, (page) => list(page, context));
      return { users: known };
    },
  });
}

/** Reads on until enough of the users are found whom a caller reaches. */
async function listReached(
  reached: readonly string[],
  after: string | undefined,
  limit: number,
  list: (page: { readonly after: string | undefined; readonly limit: number }) => Promise<ListUsersAnswer>,
): Promise<ListUsersAnswer['users']> {
  const wanted = new Set(reached);
  const found: ListUsersAnswer['users'][number][] = [];
  for (let from = after; found.length < limit; ) {
    const { users } = await list({ after: from, limit: 1_000 });
    found.push(...users.filter(({ user_id }) => wanted.has(user_id)));
    if (users.length < 1_000) break;
    from = users.at(-1)?.user_id;
  }
  return found.slice(0, limit);
}

/** How a server hands out what it has of a user. */
export interface ExportUserOptions<Deps> extends Routed {
  /** `none` where the server is one user's, and says itself who reaches it; `user` without it. */
  readonly scope?: 'user' | 'none';
  /** What is handed out, as the description says it: `the profile, entities and events`. */
  readonly exports: string;
  readonly export: (
    call: { readonly userId: string; readonly cursor: string | undefined },
    context: OperationContext<Deps>,
  ) => Promise<ExportPage>;
}

const exampleLines = { format: 'contextloom-personal-memory', version: 1, lines: '{"key":"city","value":"Leith"}\n' };

/** The operation by which a server hands out what it has of a user, the same in all of them. */
export function defineExportUser<Deps>(options: ExportUserOptions<Deps>): Operation<Deps> {
  const { scope = 'user', exports, export: write, ...routed } = options;
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
    example: { input: { user_id: 'ann' }, output: { ...exampleLines, unreached: [] } },
    ...toRoute(routed),
    run: ({ user_id: userId, cursor }, context: OperationContext<Deps>) => write({ userId, cursor }, context),
  });
}

/** How a server takes in what an export handed out. */
export interface ImportUserOptions<Deps> extends Routed {
  readonly scope?: 'user' | 'none';
  /** What the lines are, as the export names it. */
  readonly format: string;
  /** The newest version that is read. */
  readonly version: number;
  readonly import: (
    call: { readonly userId: string; readonly lines: readonly string[] },
    context: OperationContext<Deps>,
  ) => Promise<ImportReport>;
}

/** The operation by which a server takes in what an export handed out, the same in all of them; what is there already stays. */
export function defineImportUser<Deps>(options: ImportUserOptions<Deps>): Operation<Deps> {
  const { scope = 'user', format, version, import: read, ...routed } = options;
  return defineOperation({
    name: IMPORT_USER,
    title: 'Import a user',
    description: 'Takes in the lines of export_user, in their order. What is there already is not added again.',
    effect: 'replaces',
    requires: 'admin',
    scope,
    input: importUserSchema.safeExtend({
      format: importUserSchema.shape.format.pipe(z.literal(format, `must be ${format}`)),
      version: importUserSchema.shape.version.max(version, `must be at most ${version}: a newer program wrote it`),
    }),
    output: importReportSchema,
    example: {
      input: { user_id: 'ann', ...exampleLines, format },
      output: { imported: 1, known: 0, refused: [], refused_count: 0 },
    },
    ...toRoute(routed),
    run: ({ user_id: userId, lines }, context: OperationContext<Deps>) =>
      read({ userId, lines: lines.split('\n').filter((line) => line !== '') }, context),
  });
}
