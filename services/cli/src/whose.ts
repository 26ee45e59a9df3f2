import { ContextloomError, LIST_USERS } from '@contextloom/contracts';
import { type Aggregator, withAggregator } from './aggregator.ts';
import type { CliContext, GlobalOptions } from './context.ts';
import { toPlainLine } from './output/text/plain.ts';

/** So many users are named where a command has to say which one. */
const MOST_NAMED = 10;
/** Stores are counted row by row. */
const TIMEOUT_MS = 600_000;

const unclear = (why: string): ContextloomError =>
  new ContextloomError('invalid', `--user says whose memories: ${why}`, { field: '--user' });

/**
 * Whose memories a command is about where --user does not say: those of the one person there is.
 * @param usual who it is where nobody has any memories yet
 * @throws ContextloomError `invalid` where that is nobody, or one of several
 */
export async function findOnlyUser(aggregator: Pick<Aggregator, 'call'>, usual?: string): Promise<string> {
  const { users, unreached } = await aggregator
    .call(LIST_USERS, {}, { timeoutMs: TIMEOUT_MS })
    .catch((cause: unknown) => {
      throw Object(cause).code === 'forbidden' ? unclear('this key may not look who has some') : cause;
    });
  const [first, ...others] = users.map(({ user_id }) => user_id);
  const [missed] = unreached;
  // Who is in a store that did not answer is not known: a memory would be filed under, or taken from, somebody else.
  if (others.length === 0 && missed !== undefined)
    throw unclear(toPlainLine(`${missed.server} did not say (${missed.why})`));
  if (first === undefined && usual !== undefined) return usual;
  if (first === undefined) throw unclear('nobody has any yet');
  if (others.length === 0) return first;
  const named = users.slice(0, MOST_NAMED).map(({ user_id }) => toPlainLine(user_id));
  const more = users.length - named.length;
  throw unclear(`there are those of ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`);
}

/** Whose single memories are worked on. */
interface Whose {
  /** By --user; else it is the one person there is. */
  readonly user: string | undefined;
  /** Who it is where nobody has any memories yet. */
  readonly usual?: string;
}

/** Works on single memories of a user, with the operations of the aggregator that chats have too. */
export function withMemories<T>(
  { user, usual }: Whose,
  { context, globals }: { readonly context: CliContext; readonly globals: GlobalOptions },
  work: (aggregator: Aggregator, userId: string) => Promise<T>,
): Promise<T> {
  const run = async (aggregator: Aggregator) => work(aggregator, user ?? (await findOnlyUser(aggregator, usual)));
  return withAggregator(context, globals, run, 'all');
}
