import { LIST_USERS, listUsersAnswerSchema, type Unreached, type UserCounts } from '@contextloom/contracts';
import { type ArchiveDeps, askArchive, findElsewhere } from './ask-archive.ts';

/** The users of one server. */
export interface UsersOfServer {
  readonly server: string;
  readonly users: readonly UserCounts[];
  readonly bytes?: number | undefined;
  readonly unreached: readonly Unreached[];
}

/** Users a page. */
const LIMIT = 1_000;

/** Lists all users of a server; undefined for one that stores nothing of users. */
export async function listUsersAt(
  server: string,
  signal: AbortSignal,
  deps: ArchiveDeps,
): Promise<UsersOfServer | undefined> {
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
