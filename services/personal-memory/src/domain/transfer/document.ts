import { freeFormObject } from '@contextloom/contracts';
import { z } from 'zod';
import { nameField, shareField, tagsField, textField } from '../fields.ts';
import { categories, changeKinds, entityTypes, eventTypes, statuses } from '../model.ts';
import type { MemoryReader } from '../store.ts';
import { toIso } from '../times.ts';

const timeField = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const numberField = z.int().min(1);
const objectField = freeFormObject('Free-form data.').default({});
const attribute = {
  key: nameField('The key.'),
  value: textField('The value.'),
  category: z.enum(categories).nullable().default(null),
  tags: tagsField.default([]),
  confidence: shareField('How sure it is.').default(1),
};

const entityRecord = z.object({
  entity: numberField,
  entity_type: z.enum(entityTypes),
  name: nameField('The name.').nullable().default(null),
  aliases: z.array(nameField('Another name.')).default([]),
  attributes: objectField,
  tags: tagsField.default([]),
  status: z.enum(statuses).default('active'),
  created_at: timeField,
  updated_at: timeField,
});
const eventRecord = z.object({
  event: numberField,
  event_type: z.enum(eventTypes),
  description: textField('What happened.'),
  entities: z.array(numberField).default([]),
  metadata: objectField,
  tags: tagsField.default([]),
  timestamp: timeField,
  importance: shareField('How important it is.').default(0.5),
  parent: numberField.nullable().default(null),
});

const partsSchema = z.object({
  format: z.literal('contextloom-personal-memory'),
  version: z.literal(1),
  profile: z.array(z.object({ ...attribute, updated_at: timeField })).default([]),
  history: z.array(z.object({ ...attribute, change: z.enum(changeKinds), changed_at: timeField })).default([]),
  entities: z.array(entityRecord).default([]),
  relations: z
    .array(
      z.object({
        entity_1: numberField,
        entity_2: numberField,
        relation_type: nameField('The relation.'),
        metadata: objectField,
        created_at: timeField,
      }),
    )
    .default([]),
  events: z.array(eventRecord).default([]),
});

type Path = readonly (string | number)[];

/** Every reference to a number that no entity, or no earlier event, of the document has. */
function findLooseReferences({ entities, relations, events }: z.output<typeof partsSchema>): readonly Path[] {
  const known = new Set(entities.map(({ entity }) => entity));
  const earlier = new Set<number>();
  return [
    ...relations.flatMap(({ entity_1, entity_2 }, at): Path[] => [
      ...(known.has(entity_1) ? [] : [['relations', at, 'entity_1']]),
      ...(known.has(entity_2) ? [] : [['relations', at, 'entity_2']]),
    ]),
    ...events.flatMap(({ event, entities: own, parent }, at): Path[] => {
      const loose = own.flatMap((one, inside): Path[] => (known.has(one) ? [] : [['events', at, 'entities', inside]]));
      const isOrphan = parent !== null && !earlier.has(parent);
      earlier.add(event);
      return isOrphan ? [...loose, ['events', at, 'parent']] : loose;
    }),
  ];
}

/** One user's memory outside of a store: entities and events have numbers of the document's own, by which it refers to them. */
export const documentSchema = partsSchema.superRefine((document, context) => {
  for (const path of findLooseReferences(document)) {
    context.addIssue({
      code: 'custom',
      path: [...path],
      message: 'must be the number of an entity or an earlier event here',
    });
  }
});
/** A document as it is written, times as ISO 8601. */
export type MemoryDocument = z.input<typeof documentSchema>;
/** A document after parsing. */
export type ParsedDocument = z.output<typeof documentSchema>;

function numberFromOne(ids: readonly number[]): ReadonlyMap<number, number> {
  return new Map(ids.map((id, at) => [id, at + 1]));
}

/** Writes a user's memory as a document; the same memory always becomes the same document. */
export function toDocument(memory: MemoryReader): MemoryDocument {
  const entities = memory.entities();
  const events = [...memory.events()].sort((a, b) => a.id - b.id);
  const entityNumbers = numberFromOne(entities.map(({ id }) => id));
  const eventNumbers = numberFromOne(events.map(({ id }) => id));
  return {
    format: 'contextloom-personal-memory',
    version: 1,
    profile: memory
      .profile()
      .map(({ updatedAt, tags, ...entry }) => ({ ...entry, tags: [...tags], updated_at: toIso(updatedAt) })),
    history: [...memory.history()].reverse().map(({ key, value, category, tags, confidence, change, changedAt }) => ({
      ...{ key, value, category, tags: [...tags], confidence, change },
      changed_at: toIso(changedAt),
    })),
    entities: entities.map(({ id, type, name, aliases, attributes, tags, status, createdAt, updatedAt }) => ({
      entity: entityNumbers.get(id) ?? 0,
      entity_type: type,
      name,
      aliases: [...aliases],
      attributes,
      tags: [...tags],
      status,
      created_at: toIso(createdAt),
      updated_at: toIso(updatedAt),
    })),
    relations: memory.relations().map(({ entityIds, type, metadata, createdAt }) => ({
      entity_1: entityNumbers.get(entityIds[0]) ?? 0,
      entity_2: entityNumbers.get(entityIds[1]) ?? 0,
      relation_type: type,
      metadata,
      created_at: toIso(createdAt),
    })),
    events: events.map(({ id, type, description, entityIds, metadata, tags, time, importance, parentId }) => ({
      event: eventNumbers.get(id) ?? 0,
      event_type: type,
      description,
      entities: entityIds.map((entityId) => entityNumbers.get(entityId) ?? 0),
      metadata,
      tags: [...tags],
      timestamp: toIso(time),
      importance,
      parent: parentId === null ? null : (eventNumbers.get(parentId) ?? null),
    })),
  };
}
