import { ContextloomError } from '@contextloom/contracts';
import type { StoredMemory } from './memory.ts';
import { type RememberDeps, toDraft } from './remember.ts';
import type { ListedMemories, MemoryEditor, MemoryListing, Removal, TypedMemoryStore } from './typed-memory-store.ts';

/** What listing and correcting work with. */
export type CorrectDeps = Pick<RememberDeps, 'store' | 'clock' | 'zone'>;

/** A memory to put into other words. */
export interface Correction {
  readonly id: string;
  readonly content: string;
}

function requireEditor({ editor, backend }: TypedMemoryStore): MemoryEditor {
  if (editor !== undefined) return editor;
  const message = `the ${backend} makes its own memories of what it is told: list and change them there`;
  throw new ContextloomError('invalid', message);
}

const unknown = (id: string): ContextloomError =>
  new ContextloomError('not_found', `memory_id ${id} names no memory of this user`, { field: 'memory_id' });

/** Lists memories page by page, last changed first; a sealed item shows its label alone. */
export async function listMemories(
  userId: string,
  listing: MemoryListing,
  { store }: CorrectDeps,
): Promise<ListedMemories> {
  const { memories, ...page } = await requireEditor(store).list(userId, listing);
  return { ...page, memories: memories.map(({ sealed: _sealed, ...shown }) => shown) };
}

/**
 * Puts a memory into other words under the same id and type; the words it had are kept.
 * @throws ContextloomError `not_found`, or `invalid` for a secret, whose label says nothing of its words
 */
export async function correctMemory(
  userId: string,
  { id, content }: Correction,
  deps: CorrectDeps,
): Promise<StoredMemory> {
  const corrected = await requireEditor(deps.store).replace(userId, {
    id,
    toDraft: ({ type, context, importance, key, occurredAt }) => {
      if (type === 'knowledge_vault') {
        const message = 'memory_id names a secret: delete it and add the new one';
        throw new ContextloomError('invalid', message, { field: 'memory_id' });
      }
      const draft = toDraft(type, { content, context, importance }, deps);
      return { ...draft, key, occurredAt: type === 'episodic' ? (occurredAt ?? draft.occurredAt) : undefined };
    },
  });
  if (corrected === undefined) throw unknown(id);
  return corrected;
}

/** Removes a memory from all that finds or lists memories. @throws ContextloomError `not_found` */
export async function deleteMemory(userId: string, removal: Removal, { store }: CorrectDeps): Promise<void> {
  if (!(await requireEditor(store).remove(userId, removal))) throw unknown(removal.id);
}
