import { ContextloomError, userIdSchema } from '@contextloom/contracts';
import { type MemoryKind, memoryKinds } from '@contextloom/contracts/aggregator';
import { defineResource, type Resource } from '@contextloom/server-kit';
import { z } from 'zod';
import { toMemoryId } from '../domain/stores/memory-id.ts';
import { type ChatDeps, toStores } from '../operations/chat/deps.ts';
import { listAcross } from '../sources/stores/list-across.ts';

/** The kinds that belong to a user; a project's are read through its tools. */
const ownKinds = memoryKinds.filter((kind) => kind !== 'project');
/** Most memories of one resource; list_memories has the rest. */
const LISTED = 200;
const ROOT = 'contextloom://users';

/** The address of a user's memories of one kind. */
export function toMemoriesUri(userId: string, kind: MemoryKind): string {
  return `${ROOT}/${encodeURIComponent(userId)}/memories/${kind}`;
}

/** A user's memories, a resource for each kind. */
export const userMemories: Resource<ChatDeps> = defineResource({
  uri: `${ROOT}/{user_id}/memories/{kind}`,
  name: 'memories',
  title: 'Memories',
  description: 'What is remembered about the user of one kind, newest first, with the id of each.',
  mimeType: 'application/json',
  variables: z.object({ user_id: userIdSchema, kind: z.enum(ownKinds) }),
  list: ({ user_id }) =>
    user_id === undefined ? [] : ownKinds.map((kind) => ({ variables: { user_id, kind }, name: `${kind} memories` })),
  read: async ({ user_id, kind }, deps: ChatDeps, call) => {
    const stores = toStores({ user_id }, { ...call, deps }).filter((store) => store.kind === kind);
    const { memories, next, notAsked } = await listAcross(stores, { limit: LISTED });
    const [failed] = notAsked;
    if (failed !== undefined) throw new ContextloomError('unavailable', `${failed.store} ${failed.reason}`);
    const shown = memories.map(({ own, text, time }) => ({ id: toMemoryId({ kind, own }), text, time }));
    return { text: JSON.stringify({ memories: shown, has_more: next !== undefined }, null, 2) };
  },
});
