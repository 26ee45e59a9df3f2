import { useMemo } from 'react';
import { type Tell, useTexts } from '../i18n/texts.tsx';
import { type Entity, type Relation, toRelation } from './entity.ts';

/** Writes a type of relation such as `is_berthed_at` as words. */
export const toWords = (relation: string): string => relation.replaceAll('_', ' ');

/** Writes an entity's relations in words, both those from it and those to it. */
export function useRelationTexts(
  entities: readonly Entity[],
  relations: readonly Relation[],
): (entity: Pick<Entity, 'id' | 'name'>) => readonly string[] {
  const { tell } = useTexts();
  return useMemo(() => {
    const names = new Map(entities.map(({ id, name }) => [id, name ?? tell('things.unnamed')]));
    const nameOf = (id: number): string => names.get(id) ?? String(id);
    return ({ id }) =>
      relations.flatMap(({ entity_id_1: from, entity_id_2: to, relation_type }) => {
        const relation = toWords(relation_type);
        if (from === id) return [tell('things.outward', { relation, name: nameOf(to) })];
        return to === id ? [tell('things.inward', { relation, name: nameOf(from), self: nameOf(id) })] : [];
      });
  }, [entities, relations, tell]);
}

/** What it is, in words: a sister, else a person. */
export function toKindText(entity: Pick<Entity, 'attributes' | 'entity_type'>, tell: Tell): string {
  const relation = toRelation(entity);
  return relation === undefined ? tell(`entity.${entity.entity_type}`) : tell(`person.${relation}`);
}
