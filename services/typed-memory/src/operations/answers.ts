import type { TypedMemory } from '@contextloom/contracts/typed-memory';
import type { StoredMemory } from '../domain/memory.ts';
import type { RecalledMemory } from '../domain/recall.ts';

/** Shows a memory; what is undefined is left out of JSON. */
export function toShown(memory: RecalledMemory | StoredMemory): TypedMemory {
  const { id, type, content, context, importance, occurredAt, createdAt, updatedAt, previous, details = {} } = memory;
  const { steps, definition, ...named } = details;
  return {
    memory_id: id,
    type,
    content,
    ...('score' in memory && { score: memory.score }),
    ...('relevance' in memory && { relevance: memory.relevance }),
    context,
    importance,
    occurred_at: occurredAt,
    created_at: createdAt,
    updated_at: updatedAt,
    ...named,
    // A definition is most of the content once more.
    ...(definition !== undefined && definition.length <= 500 && { definition }),
    ...(steps !== undefined && { steps: [...steps] }),
    ...(previous !== undefined && { previous: [...previous] }),
    ...(memory.trust !== undefined && { trust: memory.trust }),
    ...(memory.isPassage === true && { is_passage: true }),
    ...('label' in memory && { label: memory.label }),
    ...('isRevealed' in memory && { revealed: memory.isRevealed }),
  };
}
