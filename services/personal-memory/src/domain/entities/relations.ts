import { type Consequence, ContextloomError, type JsonObject } from '@contextloom/contracts';
import { toRelationAddress } from '../addresses.ts';
import type { MemoryContext } from '../context.ts';
import { RETRACTED, toGoneRelation } from '../retractions.ts';
import { followDeletion } from '../sources/follow.ts';
import { requireWordOfPeople } from '../sources/trust.ts';
import { requireEntity } from './entities.ts';

/** A relation to store. */
export interface NewRelation {
  readonly entity_id_1: number;
  readonly entity_id_2: number;
  readonly relation_type: string;
  readonly metadata?: JsonObject | undefined;
  /** What it was drawn from. */
  readonly derived_from?: readonly string[] | undefined;
}

/**
 * Stores a relation, or new metadata of an existing one, and returns its id.
 * @throws ContextloomError `not_found` for an unknown entity, `invalid` for an entity and itself
 */
export function createRelation(given: NewRelation, { memory, clock }: MemoryContext): Promise<number> {
  const { entity_id_1: first, entity_id_2: second, relation_type: type, metadata = {} } = given;
  if (first === second) {
    throw new ContextloomError('invalid', 'entity_id_2 must be another entity than entity_id_1', {
      field: 'entity_id_2',
    });
  }
  return memory.change(async (writer) => {
    await requireEntity(first, writer, 'entity_id_1');
    await requireEntity(second, writer, 'entity_id_2');
    await requireWordOfPeople(given, writer);
    const isKnown = (await writer.relations(first, type)).some(
      ({ entityIds }) => entityIds[0] === first && entityIds[1] === second,
    );
    const id = await writer.putRelation({ entityIds: [first, second], type, metadata, createdAt: clock().getTime() });
    const address = toRelationAddress(id);
    // The same from elsewhere rests on both; said by itself it rests on nothing.
    const before = await writer.sourcesOf(address);
    const isAlone = given.derived_from === undefined || (isKnown && before.length === 0);
    await writer.putSources(address, isAlone ? [] : [...new Set([...before, ...(given.derived_from ?? [])])]);
    return id;
  });
}

/** Deletes a relation, which no import brings back, and what was drawn from it alone. */
export function deleteRelation(
  id: number,
  { memory }: MemoryContext,
): Promise<{ readonly isDeleted: boolean; readonly consequences: readonly Consequence[] }> {
  return memory.change(async (writer) => {
    const relation = await writer.relation(id);
    if (relation === undefined) return { isDeleted: false, consequences: [] };
    const { entityIds, type } = relation;
    if ((await writer.importsOf({ kind: 'relation', entityId: entityIds[0], value: String(id) })).length > 0) {
      await writer.addClaim(RETRACTED, toGoneRelation(entityIds, type));
    }
    const isDeleted = await writer.deleteRelation(id);
    return { isDeleted, consequences: await followDeletion(toRelationAddress(id), writer) };
  });
}
