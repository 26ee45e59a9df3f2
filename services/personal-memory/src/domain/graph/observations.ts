import type { Entity } from '../model.ts';

/** What other programs' graphs tell of an entity: sentences, kept in its attribute `observations`. */
export function toObservations({ attributes }: Pick<Entity, 'attributes'>): readonly string[] {
  const kept = attributes['observations'];
  return Array.isArray(kept) ? kept.filter((one): one is string => typeof one === 'string') : [];
}
