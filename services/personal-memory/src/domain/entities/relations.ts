import { ContextloomError, type JsonObject } from '@contextloom/contracts';
import type { MemoryContext } from '../context.ts';
import { RETRACTED, toGoneRelation } from '../retractions.ts';
import { requireEntity } from './entities.ts';

/** A relation to store. */
export interface NewRelation {
  readonly entity_id_1: number;
  readonly entity_id_2: number;
  readonly relation_type: string;
  readonly metadata?: JsonObject | undefined;
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
  return memory.change((writer) => {
    requireEntity(first, writer, 'entity_id_1');
    requireEntity(second, writer, 'entity_id_2');
    return writer.putRelation({ entityIds: [first, second], type, metadata, createdAt: clock().getTime() });
  });
}

/** Deletes a relation, which no import brings back; `false` for an unknown id. */
export function deleteRelation(id: number, { memory }: MemoryContext): Promise<boolean> {
  return memory.change((writer) => {
    const relation = writer.relations().find((one) => one.id === id);
    if (relation === undefined) return false;
    const { entityIds, type } = relation;
    if (writer.isClaimed({ kind: 'relation', entityId: entityIds[0], value: String(id) })) {
      writer.addClaim(RETRACTED, toGoneRelation(entityIds, type));
    }
    return writer.deleteRelation(id);
  });
}
