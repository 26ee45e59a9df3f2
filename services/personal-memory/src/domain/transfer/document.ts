import { freeFormObject, parseInput } from '@contextloom/contracts';
import {
  categories,
  changeKinds,
  entityTypes,
  eventTypes,
  nameField,
  shareField,
  statuses,
  tagsField,
  textField,
} from '@contextloom/contracts/personal-memory';
import { mapInSlices } from '@contextloom/runtime/scheduling';
import { withoutPrivateIn } from '@contextloom/safety/private';
import { z } from 'zod';

const timeField = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const numberField = z.int().min(1);
const claimKinds = ['entity', 'observation', 'relation', 'gone_relation'] as const;
const objectField = freeFormObject('Free-form data.').default({});
/** When it is forgotten. */
const endField = timeField.optional();
/** What it was drawn from, by addresses; absent of what stands by itself. */
const sourcesField = z.array(z.string().min(3).max(1_024)).max(10_000).optional();
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
  derived_from: sourcesField,
  expires_at: endField,
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
  derived_from: sourcesField,
  expires_at: endField,
});

const relationRecord = z
  .object({
    entity_1: numberField,
    entity_2: numberField,
    relation_type: nameField('The relation.'),
    metadata: objectField,
    created_at: timeField,
    derived_from: sourcesField,
  })
  .refine(({ entity_1, entity_2 }) => entity_1 !== entity_2, {
    path: ['entity_2'],
    message: 'must be another entity than entity_1',
  });

/** What an import of another program's graph brought, so that what is gone of it stays away when it comes again. */
const claimRecord = z
  .object({
    import_id: textField('The import.'),
    entity: numberField,
    kind: z.enum(claimKinds),
    /** The words of an observation, the type of a relation. */
    value: z.string().default(''),
    /** The other entity of a relation. */
    entity_2: numberField.nullable().default(null),
  })
  .refine(({ kind, entity_2 }) => entity_2 !== null || !kind.endsWith('relation'), {
    path: ['entity_2'],
    message: 'must be the other entity of the relation',
  });

/** What the records of each table are. */
const records = {
  profile: z.object({ ...attribute, updated_at: timeField, derived_from: sourcesField, expires_at: endField }),
  history: z.object({ ...attribute, change: z.enum(changeKinds), changed_at: timeField, derived_from: sourcesField }),
  entities: entityRecord,
  relations: relationRecord,
  events: eventRecord,
  claims: claimRecord,
} as const;
type Records = typeof records;

/** The tables of a document, in the order in which they are written. */
export const tables = ['profile', 'history', 'entities', 'relations', 'events', 'claims'] as const;
/** One of {@link tables}. */
export type Table = (typeof tables)[number];

const list = z.array(z.unknown()).default([]);
/** A document whose records are still to be parsed, one by one: there may be a hundred thousand. */
const frameSchema = z.object({
  format: z.literal('contextloom-personal-memory'),
  version: z.literal(1),
  profile: list,
  history: list,
  entities: list,
  relations: list,
  events: list,
  claims: list,
});

/** One user's memory outside of a store, times as ISO 8601: entities and events have numbers of the document's own, by which it refers to them. */
export interface MemoryDocument extends Readonly<{ [T in Table]: readonly z.input<Records[T]>[] }> {
  readonly format: 'contextloom-personal-memory';
  readonly version: 1;
}
/** A document after parsing. */
export type ParsedDocument = { readonly [T in Table]: readonly z.output<Records[T]>[] };

type Path = readonly (string | number)[];

/** The first reference to a number that no entity, or no earlier event, of the document has. */
function findLooseReference({ entities, relations, events, claims }: ParsedDocument): Path | undefined {
  const known = new Set(entities.map(({ entity }) => entity));
  for (const [at, { entity_1, entity_2 }] of relations.entries()) {
    if (!known.has(entity_1)) return ['relations', at, 'entity_1'];
    if (!known.has(entity_2)) return ['relations', at, 'entity_2'];
  }
  const earlier = new Set<number>();
  for (const [at, { event, entities: own, parent }] of events.entries()) {
    const loose = own.findIndex((one) => !known.has(one));
    if (loose >= 0) return ['events', at, 'entities', loose];
    if (parent !== null && !earlier.has(parent)) return ['events', at, 'parent'];
    earlier.add(event);
  }
  for (const [at, { entity, entity_2 }] of claims.entries()) {
    if (!known.has(entity)) return ['claims', at, 'entity'];
    if (entity_2 !== null && !known.has(entity_2)) return ['claims', at, 'entity_2'];
  }
  return undefined;
}

const referencesSchema = z.custom<ParsedDocument>().superRefine((document, context) => {
  const path = findLooseReference(document);
  if (path === undefined) return;
  context.addIssue({
    code: 'custom',
    path: [...path],
    message: 'must be the number of an entity or an earlier event here',
  });
});

/**
 * Parses a document, in slices between which other calls are answered.
 * @throws ContextloomError `invalid`, naming the source, the record and the field
 */
export async function parseDocument(value: unknown, source: string): Promise<ParsedDocument> {
  const frame = parseInput(frameSchema, withoutPrivateIn(value), [source]);
  const parse = <S extends z.ZodType>(table: Table, schema: S): Promise<z.output<S>[]> =>
    mapInSlices([...frame[table].entries()], ([at, record]) => parseInput(schema, record, [source, table, at]));
  const document: ParsedDocument = {
    profile: await parse('profile', records.profile),
    history: await parse('history', records.history),
    entities: await parse('entities', records.entities),
    relations: await parse('relations', records.relations),
    events: await parse('events', records.events),
    claims: await parse('claims', records.claims),
  };
  return parseInput(referencesSchema, document, [source]);
}
