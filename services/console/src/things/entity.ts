import { type RelationKind, relationKinds } from '@contextloom/contracts/personal-memory';
import type { ServerAnswer } from '../calls/operations.ts';

/** A person or a thing. */
export type Entity = Pick<
  ServerAnswer<'list_entities'>['entities'][number],
  'id' | 'entity_type' | 'name' | 'aliases' | 'attributes' | 'status' | 'updated_at'
>;
/** What one entity is to another. */
export type Relation = Pick<
  ServerAnswer<'query_entity_relations'>['relations'][number],
  'id' | 'entity_id_1' | 'entity_id_2' | 'relation_type'
>;

/** What somebody is to the user, where that was read in what the user said. */
export const toRelation = ({ attributes }: Pick<Entity, 'attributes'>): RelationKind | undefined =>
  relationKinds.find((one) => one === attributes['kind']);
