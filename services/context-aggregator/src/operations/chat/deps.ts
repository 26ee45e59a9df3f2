import { type Principal, requireReached } from '@contextloom/access';
import { ContextloomError } from '@contextloom/contracts';
import { type MemoryKind, memoryKinds } from '@contextloom/contracts/aggregator';
import { parseTimeRange, TIME_RANGE_FORMS } from '@contextloom/retrieval/time';
import type { OperationContext } from '@contextloom/server-kit';
import { type MemoryAddress, parseMemoryId, toMemoryId } from '../../domain/stores/memory-id.ts';
import type { WholeMemory } from '../../domain/stores/stored-memory.ts';
import { type Failure, toError } from '../../sources/asking/failure.ts';
import { type Answer, createAskStore } from '../../sources/stores/ask-store.ts';
import { type FollowedChange, followEverywhere } from '../../sources/stores/follow-everywhere.ts';
import type { Followed } from '../../sources/stores/followed.ts';
import type { MemoryStore, Narrowing, StoreContext } from '../../sources/stores/memory-store.ts';
import { findStore, openStores } from '../../sources/stores/open-stores.ts';
import { parseProjectMemoryId } from '../../sources/stores/project.ts';
import { type OperationDeps, toCallDeps } from '../deps.ts';

/** What the operations of a chat work with. */
export interface ChatDeps extends OperationDeps {
  /** Where days begin: an IANA time zone. */
  readonly zone: string;
  /** Called when a user's memories of a kind have changed through this server. */
  readonly onChanged: (userId: string, kind: MemoryKind) => void;
}

/** What a call of an operation brings; prompts and resources bring the same. */
export type ChatContext = Pick<OperationContext<ChatDeps>, 'deps' | 'principal' | 'signal'>;

/** Whose memories a call is about, and of which project. */
export interface ChatCall {
  readonly user_id: string;
  readonly project?: string | undefined;
}

/** Whether all questions of a call share one deadline, or each has its own. */
type Timing = 'together' | 'each';

/** What the stores are called with: as the caller, who reaches this one user alone while the call lasts. */
export function toStoreContext(
  { user_id: userId, project }: ChatCall,
  { deps, principal, signal }: ChatContext,
  timing: Timing = 'each',
): StoreContext {
  if (project !== undefined) requireReached(principal.projects, project, 'project');
  const narrowed: Principal = { ...principal, users: [userId] };
  const callDeps = toCallDeps({ deps, principal: narrowed });
  const deadline = AbortSignal.timeout(callDeps.deadlines.sourceMs);
  const ask = createAskStore(callDeps, timing === 'together' ? AbortSignal.any([signal, deadline]) : signal);
  return { ask, userId, project };
}

/** The stores of a call. */
export function toStores(call: ChatCall, context: ChatContext, timing?: Timing): readonly MemoryStore[] {
  return openStores(toStoreContext(call, context, timing));
}

/** Which stores are queried: those of a kind, where a call names one. */
export const isOfKind =
  (kind: MemoryKind | undefined) =>
  (store: MemoryStore): boolean =>
    kind === undefined || store.kind === kind;

/** What a call narrows its list or search to. @throws ContextloomError `invalid`, with the forms of a time range */
export function toNarrowing(
  { tag, time_range }: { readonly tag?: string | undefined; readonly time_range?: string | undefined },
  { deps: { clock, zone } }: ChatContext,
): Narrowing {
  if (time_range === undefined) return { tag };
  const range = parseTimeRange(time_range, { now: clock(), zone });
  if (range !== undefined) return { tag, range };
  const message = `time_range must be one of these forms: ${TIME_RANGE_FORMS.join(', ')}`;
  throw new ContextloomError('invalid', message, { field: 'time_range' });
}

/** The memory that a call is about. */
interface MemoryCall {
  readonly user_id: string;
  readonly id: string;
}

/** Asks the store of the memory that an id names. @throws ContextloomError `not_found` where it answers nothing or `false` */
async function askForMemory<T>(
  { user_id, id }: MemoryCall,
  context: ChatContext,
  ask: (store: MemoryStore, own: string) => Promise<Answer<T | false | undefined>>,
): Promise<MemoryAddress & { readonly service: string; readonly value: T }> {
  const { kind, own } = parseMemoryId(id);
  const project = kind === 'project' ? parseProjectMemoryId(own).project_key : undefined;
  const store = findStore(toStores({ user_id, project }, context), kind);
  const answer = store && (await ask(store, own));
  if (store !== undefined && answer?.kind === 'failed') throw toError(store.service, answer satisfies Failure);
  const value = answer?.kind === 'ok' ? answer.value : undefined;
  if (store === undefined || value === undefined || value === false) {
    throw new ContextloomError('not_found', `there is no memory ${id} of this user`, { field: 'id' });
  }
  return { kind, own, service: store.service, value };
}

/** Reads the memory that an id names. @throws ContextloomError `not_found` for an id of no memory of the user */
export async function findMemory(
  call: MemoryCall,
  context: ChatContext,
): Promise<WholeMemory & MemoryAddress & { readonly service: string }> {
  const { kind, service, value } = await askForMemory<WholeMemory>(call, context, (store, own) => store.get(own));
  return { ...value, kind, service };
}

/**
 * Changes the memory that an id names, and tells those who watch.
 * @throws ContextloomError `not_found` for an id of no memory of the user
 */
export async function changeMemory(
  call: MemoryCall,
  context: ChatContext,
  change: (store: MemoryStore, own: string) => ReturnType<MemoryStore['remove']>,
): Promise<MemoryAddress & { readonly service: string; readonly followed: readonly Followed[] }> {
  const { kind, own, service, value: followed } = await askForMemory<readonly Followed[]>(call, context, change);
  noteChanges(call.user_id, [toMemoryId({ kind, own }), ...followed.map(({ id }) => id)], context);
  return { kind, own, service, followed };
}

/** Tells those who watch of the memories that have changed. */
export function noteChanges(userId: string, ids: readonly string[], { deps }: ChatContext): void {
  const changed = new Set(ids.map((id) => id.slice(0, id.indexOf(':'))));
  for (const kind of memoryKinds) if (changed.has(kind)) deps.onChanged(userId, kind);
}

/** Follows a change to what was drawn from a memory, and tells those who watch. @throws ContextloomError where a store cannot tell */
export async function followMemory(
  call: ChatCall,
  context: ChatContext,
  change: FollowedChange,
): Promise<readonly Followed[]> {
  const answer = await followEverywhere(change, toStoreContext(call, context));
  if (answer.kind === 'failed') throw toError(answer.service ?? 'a store', answer);
  if (!change.isDryRun)
    noteChanges(
      call.user_id,
      answer.value.map(({ id }) => id),
      context,
    );
  return answer.value;
}
