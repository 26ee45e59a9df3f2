import { createHash } from 'node:crypto';
import { FORGET_USER, type Forgotten, forgetUserAnswerSchema, forgetUserSchema } from '@contextloom/contracts';
import type { OperationContext } from './context.ts';
import { defineOperation, type Operation } from './operation.ts';

/** How a server forgets a user. */
export interface ForgetUserOptions<Deps> {
  /** Where it is called over REST; without it only over MCP. */
  readonly path?: string | undefined;
  /** `none` where the server is one user's, and says itself who reaches it; `user` without it. */
  readonly scope?: 'user' | 'none' | undefined;
  /** What is erased, as the description of the tool says it: `the profile, entities and events`. */
  readonly erases: string;
  /** Counts what there is of the user, and erases it unless it is a dry run. */
  readonly forget: (
    call: { readonly userId: string; readonly isDryRun: boolean },
    context: OperationContext<Deps>,
  ) => Promise<Forgotten>;
}

/** The name of a user where the user must not be named: the SHA-256 of the id, in hex. */
export function toUserHash(userId: string): string {
  return createHash('sha256').update(userId).digest('hex');
}

/** An operation whose callers' audit log names the hashes of users: it must not name a user who was forgotten. */
export function withHashedSubjects<Deps>(operation: Operation<Deps>): Operation<Deps> {
  return {
    ...operation,
    call: (args, { noteSubjects, ...context }, options) =>
      operation.call(
        args,
        { ...context, noteSubjects: (ids) => noteSubjects?.(ids.map((id) => `sha256:${toUserHash(id)}`)) },
        options,
      ),
  };
}

/** The operation by which a server forgets a user, the same in all of them; it needs the scope admin. */
export function defineForgetUser<Deps>({
  path,
  scope = 'user',
  erases,
  forget,
}: ForgetUserOptions<Deps>): Operation<Deps> {
  const operation = defineOperation({
    name: FORGET_USER,
    title: 'Forget a user',
    description: `Erases ${erases} of a user for good, from files, indexes, logs and backups of this server. Counts only, unless dry_run is false.`,
    effect: 'deletes',
    requires: 'admin',
    scope,
    input: forgetUserSchema,
    output: forgetUserAnswerSchema,
    example: {
      input: { user_id: 'ann', dry_run: true },
      output: {
        user_sha256: toUserHash('ann'),
        dry_run: true,
        erased: [{ what: 'events', count: 3 }],
        total: 3,
        unreached: [],
      },
    },
    ...(path !== undefined && {
      route: { method: 'post' as const, path, errors: ['no_space', 'unavailable'] as const },
    }),
    run: async ({ user_id: userId, dry_run: isDryRun }, context: OperationContext<Deps>) => {
      const { erased, unreached } = await forget({ userId, isDryRun }, context);
      const total = erased.reduce((sum, { count }) => sum + count, 0);
      return { user_sha256: toUserHash(userId), dry_run: isDryRun, erased, total, unreached };
    },
  });
  return withHashedSubjects(operation);
}
