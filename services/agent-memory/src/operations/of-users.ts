import { resolveSubject, toSubject } from '@contextloom/access';
import { parseInput, type UserStore, userIdSchema } from '@contextloom/contracts';
import { defineUserStoreOperations, type Operation } from '@contextloom/server-kit';
import { createUserStore, LINES } from '../domain/user-store.ts';
import type { Workspaces } from '../domain/workspaces.ts';
import { type AgentMemoryDeps, toDeps } from './deps.ts';

/** Builds the store of all users where each has a workspace; the agent's own files are exported with the user's. */
function createUsersStore(workspaces: Workspaces): UserStore {
  const { using, forget, countWaiting } = workspaces;
  return {
    users: async ({ after = '', limit }) => {
      const users = [];
      for (const userId of workspaces.list().filter((id) => id > after)) {
        if (users.length === limit) break;
        const page = await using(userId, 'reads', (owned) => createUserStore(owned).users({ limit: 1 }));
        users.push(...page.users.filter(({ counts }) => counts.some(({ count }) => count > 0)));
      }
      return { users };
    },
    exportUser: (userId, cursor) =>
      using(userId, 'reads', (owned) => createUserStore(owned).exportUser(userId, cursor)),
    importUser: (userId, lines) => using(userId, 'writes', (owned) => createUserStore(owned).importUser(userId, lines)),
    forget,
    countWaiting,
  };
}

/** What the operations need where each user has a workspace. */
export interface WorkspacesDeps {
  readonly workspaces: Workspaces;
}

/** The field that names whose workspace is meant. */
export const namedUser = {
  user_id: userIdSchema.describe('Whose workspace; it is made when something is first written.'),
};

/** An operation on one workspace as one on those of all users: a call names whose. */
export function toOperationOfUsers(operation: Operation<AgentMemoryDeps>): Operation<WorkspacesDeps> {
  const input = operation.input.safeExtend(namedUser);
  const subject = toSubject('user', undefined, input);
  // Its route has no part that looks at what the operation needs.
  const { example, effect, ...shown } = operation as unknown as Operation<WorkspacesDeps>;
  return {
    ...shown,
    effect,
    ...(example !== undefined && { example: { ...example, input: { user_id: 'ann', ...Object(example.input) } } }),
    scope: 'user',
    input,
    subject,
    call: async (args, { deps: { workspaces }, ...context }, options) => {
      const parse = (one: unknown) => parseInput(input, one);
      const { principal, noteSubjects } = context;
      const { user_id: userId, ...rest } = resolveSubject(
        { args, subject, principal, noteSubjects },
        { parse, translate: (one) => one },
      );
      return workspaces.using(String(userId), effect === 'reads' ? 'reads' : 'writes', (owned) =>
        operation.call(rest, { ...context, deps: toDeps(owned) }, options),
      );
    },
  };
}

/** The operations on all users, as every store of memories has them. */
export const ofAllUsers = defineUserStoreOperations<WorkspacesDeps>({
  store: ({ deps: { workspaces } }) => createUsersStore(workspaces),
  lines: LINES,
  exports: 'the files of their workspace',
  erases: 'their whole workspace',
});
