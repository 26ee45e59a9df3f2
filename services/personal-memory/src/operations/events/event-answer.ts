import type { MemoryEvent } from '../../domain/model.ts';
import type { Fit } from '../../domain/search/search.ts';
import { toIso } from '../../domain/times.ts';
import { toFit } from '../answers.ts';

/** Writes an event. */
export function toEventAnswer(event: MemoryEvent, fit: Fit = {}) {
  const { id, type, description, entityIds, metadata, time, importance, tags: own, parentId } = event;
  return {
    id,
    event_type: type,
    description,
    related_entity_ids: [...entityIds],
    metadata,
    timestamp: toIso(time),
    importance,
    tags: [...own],
    ...(parentId !== null && { parent_event_id: parentId }),
    ...toFit(fit),
  };
}

/** An event in the examples of answers. */
export const exampleEvent = {
  id: 1,
  event_type: 'illness' as const,
  description: 'Biscuit saw the vet',
  related_entity_ids: [1],
  metadata: { cost: 180 },
  timestamp: '2026-03-01T09:30:00.000Z',
  importance: 0.5,
  tags: [],
};
