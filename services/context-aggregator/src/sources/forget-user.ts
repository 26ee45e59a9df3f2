import {
  type ErasedCount,
  FORGET_USER,
  type ForgetUserAnswer,
  forgetUserAnswerSchema,
  type Unreached,
} from '@contextloom/contracts';
import { parseAnswer } from '../domain/memories/memories.ts';
import { type ArchiveDeps, isInKnowledgeBase } from './archive/ask-archive.ts';
import { toFailure, toUnreadable, toUserFailure } from './asking/failure.ts';

/** What one server erased, or what kept it from that. */
export interface ForgottenByServer {
  readonly server: string;
  readonly erased: readonly ErasedCount[];
  readonly total: number;
  readonly unreached: readonly Unreached[];
}

/** What a server is called for. */
export interface ForgetRequest {
  readonly userId: string;
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
}

const missed = (server: string, why: string, what = 'everything that it stores'): ForgottenByServer => ({
  server,
  erased: [],
  total: 0,
  unreached: [{ what, why }],
});

/** What the first-party servers without the tool mean for a receipt; undefined for those that store nothing of users. */
const withoutTool: Readonly<Record<string, string | undefined>> = {
  persona: undefined,
  'typed-memory': 'its memories are at a MIRIX server, and have to be erased there',
};
const UNKNOWN = 'it has no tool that forgets users: whoever runs it can say what it stores';

/**
 * Has a first-party server forget a user.
 * @returns undefined for a server that stores nothing of users
 */
export async function forgetAt(
  server: string,
  { userId, isDryRun, signal }: ForgetRequest,
  deps: ArchiveDeps,
): Promise<ForgottenByServer | undefined> {
  const { upstreams, deadlines, log } = deps;
  const { sourceMs, storeMs } = deadlines;
  const context = { server, log };
  const listed = await upstreams.listTools(server, { timeoutMs: sourceMs, signal });
  if (listed.kind !== 'ok') return missed(server, toFailure(listed, context).reason);
  if (!listed.value.some(({ name }) => name === FORGET_USER)) {
    const service = upstreams.serviceOf(server) ?? '';
    const why = service in withoutTool ? withoutTool[service] : UNKNOWN;
    if (why === undefined) return undefined;
    if (service === 'typed-memory' && (await isInKnowledgeBase(server, signal, deps))) return undefined;
    return missed(server, why, 'what it may store');
  }
  const args = { user_id: userId, dry_run: isDryRun };
  const result = await upstreams.call(server, FORGET_USER, args, { timeoutMs: storeMs, signal });
  if (result.kind !== 'ok') return missed(server, toUserFailure(result, context).reason);
  const answer: ForgetUserAnswer | undefined = parseAnswer(forgetUserAnswerSchema, result.value);
  if (answer === undefined) return missed(server, toUnreadable(result.value.text, context).reason);
  const { erased, total, unreached } = answer;
  return { server, erased, total, unreached };
}
