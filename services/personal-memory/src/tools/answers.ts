import { anyObjectJsonSchema, type JsonObject } from '@contextloom/contracts';
import { z } from 'zod';
import { ageConfidence } from '../domain/confidence.ts';
import {
  categories,
  type Entity,
  entityTypes,
  eventTypes,
  type MemoryEvent,
  type ProfileEntry,
  statuses,
} from '../domain/model.ts';
import type { Fit } from '../domain/search.ts';
import { toIso } from '../domain/times.ts';

const storedObject = z
  .custom<JsonObject>((value) => typeof value === 'object' && value !== null)
  .meta({ ...anyObjectJsonSchema });
const tags = z.array(z.string());
const found = {
  relevance_score: z.number().optional().describe('How well it fits the words, 0 to 1; absent without words.'),
  matched_keywords: z.array(z.string()).optional(),
};

/** An attribute of the user in an answer. */
export const profileAnswer = z.object({
  key: z.string(),
  value: z.string(),
  category: z.enum(categories).nullable(),
  updated_at: z.string(),
  confidence: z.number().describe('0 to 1; lower the longer ago it was said.'),
  tags,
  ...found,
});

/** An entity in an answer. */
export const entityAnswer = z.object({
  id: z.int(),
  entity_type: z.enum(entityTypes),
  name: z.string().nullable(),
  aliases: z.array(z.string()).describe('Other names.'),
  attributes: storedObject,
  created_at: z.string(),
  updated_at: z.string(),
  status: z.enum(statuses),
  tags,
  ...found,
});

/** An event in an answer. */
export const eventAnswer = z.object({
  id: z.int(),
  event_type: z.enum(eventTypes),
  description: z.string(),
  related_entity_ids: z.array(z.int()),
  metadata: storedObject,
  timestamp: z.string(),
  importance: z.number(),
  tags,
  parent_event_id: z.int().optional(),
  ...found,
});

/** A relation in an answer. */
export const relationAnswer = z.object({
  id: z.int(),
  entity_id_1: z.int(),
  entity_id_2: z.int(),
  relation_type: z.string(),
  metadata: storedObject,
  created_at: z.string(),
});

/** Numbers in short, in an answer; null when there are none. */
export const numbersAnswer = z
  .object({ count: z.int(), sum: z.number(), average: z.number(), min: z.number(), max: z.number() })
  .nullable();

/** Whether something was there to be deleted. */
export const deletionAnswer = z.object({ deleted: z.boolean(), changes: z.int() });

/** Writes whether something was deleted. */
export function toDeletionAnswer(deleted: boolean): z.output<typeof deletionAnswer> {
  return { deleted, changes: Number(deleted) };
}

/** Writes how well something fits, if anything was asked. */
function toFit({ score, matched }: Fit) {
  return {
    ...(score !== undefined && { relevance_score: score }),
    ...(matched !== undefined && { matched_keywords: [...matched] }),
  };
}

/** Writes an attribute with the confidence that it has now. */
export function toProfileAnswer(entry: ProfileEntry, now: Date, fit: Fit = {}) {
  const { key, value, category, tags: own, updatedAt } = entry;
  const confidence = ageConfidence(entry, now.getTime());
  return {
    key,
    value,
    category,
    updated_at: toIso(updatedAt),
    confidence,
    tags: [...own],
    ...toFit(fit),
  };
}

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
