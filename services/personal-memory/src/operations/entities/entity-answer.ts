import type { Entity } from '../../domain/model.ts';
import type { Fit } from '../../domain/search/search.ts';
import { toIso } from '../../domain/times.ts';
import { toFit } from '../answers.ts';

/** Writes an entity. */
export function toEntityAnswer(entity: Entity, fit: Fit = {}) {
  const { id, type, name, aliases, attributes, createdAt, updatedAt, status, tags: own } = entity;
  const times = { created_at: toIso(createdAt), updated_at: toIso(updatedAt) };
  return {
    id,
    entity_type: type,
    name,
    aliases: [...aliases],
    attributes,
    ...times,
    status,
    tags: [...own],
    ...toFit(fit),
  };
}

/** An entity in the examples of answers. */
export const exampleEntity = {
  id: 1,
  entity_type: 'pet' as const,
  name: 'Biscuit',
  aliases: ['Bix'],
  attributes: { breed: 'golden retriever', age: 3 },
  created_at: '2026-03-02T09:30:00.000Z',
  updated_at: '2026-03-02T09:30:00.000Z',
  status: 'active' as const,
  tags: ['dog'],
};
