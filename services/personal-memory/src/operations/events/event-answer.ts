import { z } from 'zod';
import { eventTypes, type MemoryEvent } from '../../domain/model.ts';
import type { Fit } from '../../domain/search/search.ts';
import { toIso } from '../../domain/times.ts';
import { fitFields, storedObject, toFit } from '../wire-schemas.ts';

/** An event in an answer. */
export const eventAnswer = z.object({
  id: z.int(),
  event_type: z.enum(eventTypes),
  description: z.string(),
  related_entity_ids: z.array(z.int()),
  metadata: storedObject,
  timestamp: z.string(),
  importance: z.number(),
  tags: z.array(z.string()),
  parent_event_id: z.int().optional(),
  ...fitFields,
  relevance: z
    .number()
    .optional()
    .describe('Of a query: how much of what is asked it tells, 0 to 1; the same in every store.'),
});

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
