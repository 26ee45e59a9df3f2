import { z } from 'zod';
import { derivedFromSchema } from '../derivations.ts';
import { userIdSchema } from '../values/identifiers.ts';
import { freeFormObject } from '../values/json.ts';
import {
  changeFields,
  deletionAnswer,
  endField,
  entityFilterFields,
  fitFields,
  idField,
  keywordsField,
  limitField,
  matchModeField,
  nameField,
  nextOffsetAnswer,
  numbersAnswer,
  offsetField,
  optionalField,
  storedObject,
  tagsField,
  textField,
  totalAnswer,
} from './fields.ts';
import { entityTypes, statuses } from './words.ts';

/** An entity in an answer. */
const entityAnswer = z.object({
  id: z.int(),
  entity_type: z.enum(entityTypes),
  name: z.string().nullable(),
  aliases: z.array(z.string()).describe('Other names.'),
  attributes: storedObject,
  created_at: z.string(),
  updated_at: z.string(),
  status: z.enum(statuses),
  tags: z.array(z.string()),
  ...fitFields,
});

const relationAnswer = z.object({
  id: z.int(),
  entity_id_1: z.int(),
  entity_id_2: z.int(),
  relation_type: z.string(),
  metadata: storedObject,
  created_at: z.string(),
});

/** The operations about entities and their relations. */
export const entityOperations = {
  add_entity_alias: {
    input: z.object({ entity_id: idField('The entity.'), alias: nameField('The other name.'), user_id: userIdSchema }),
    output: z.object({ added: z.boolean().describe('false when it had that name.') }),
  },
  create_entity: {
    input: z.object({
      entity_type: z.enum(entityTypes).describe('What kind of thing it is.'),
      name: optionalField(nameField('What it is called, such as the name of the pet.')),
      attributes: freeFormObject('What is known about it, such as {"breed": "golden retriever", "age": 3}.').optional(),
      tags: tagsField.optional(),
      derived_from: derivedFromSchema.optional(),
      expires_at: endField,
      user_id: userIdSchema,
    }),
    output: z.object({
      entity_id: z.int(),
      possible_duplicates: z
        .array(z.object({ entity_id: z.int(), name: z.string().nullable(), status: z.enum(statuses) }))
        .optional()
        .describe('Others of its type that are called the same; absent when there are none.'),
    }),
  },
  delete_entity: {
    input: z.object({ entity_id: idField('The entity.'), user_id: userIdSchema }),
    output: deletionAnswer,
  },
  get_entity: {
    input: z.object({ entity_id: idField('The entity.'), user_id: userIdSchema }),
    output: z.object({ entity: entityAnswer }),
  },
  list_entities: {
    input: z.object({
      ...entityFilterFields,
      ...changeFields,
      limit: limitField(200),
      offset: offsetField,
      user_id: userIdSchema,
    }),
    output: z.object({ entities: z.array(entityAnswer), next_offset: nextOffsetAnswer, total: totalAnswer }),
  },
  merge_entities: {
    input: z.object({
      entity_id: idField('The entity that stays; of an attribute that both have, its value stays.'),
      duplicate_id: idField('The one that becomes part of it.'),
      user_id: userIdSchema,
    }),
    output: z.object({ merged: z.boolean(), entity: entityAnswer }),
  },
  resolve_entity: {
    input: z.object({
      text: textField('The words, or the whole sentence.', 1_000),
      limit: limitField(5),
      user_id: userIdSchema,
    }),
    output: z.object({
      candidates: z.array(
        z.object({
          entity_id: z.int(),
          entity_type: z.enum(entityTypes),
          name: z.string().nullable(),
          status: z.enum(statuses),
          score: z.number(),
          reasons: z.array(z.object({ kind: z.string(), detail: z.string() })),
        }),
      ),
    }),
  },
  search_entities_by_keywords: {
    input: z.object({
      keywords: keywordsField,
      ...entityFilterFields,
      match_mode: matchModeField,
      limit: limitField(20),
      user_id: userIdSchema,
    }),
    output: z.object({ entities: z.array(entityAnswer) }),
  },
  summarize_entities: {
    input: z.object({ ...entityFilterFields, limit: limitField(200), offset: offsetField, user_id: userIdSchema }),
    output: z.object({
      total_entities: z.int(),
      by_type: z.array(z.object({ entity_type: z.enum(entityTypes), count: z.int() })),
      entities: z.array(
        z.object({
          id: z.int(),
          entity_type: z.enum(entityTypes),
          name: z.string().nullable(),
          status: z.enum(statuses),
          events: z.int(),
          last_event_at: z.string().nullable(),
          cost: numbersAnswer,
        }),
      ),
      next_offset: nextOffsetAnswer,
    }),
  },
  update_entity: {
    input: z.object({
      entity_id: idField('The entity.'),
      name: optionalField(nameField('Its new name.')),
      attributes: freeFormObject('Attributes to set; null removes one.').optional(),
      status: optionalField(z.enum(statuses)).describe('Whether it is still part of the user’s life.'),
      tags: tagsField.optional(),
      user_id: userIdSchema,
    }),
    output: z.object({ updated: z.boolean(), changes: z.int().optional(), message: z.string().optional() }),
  },
  create_entity_relation: {
    input: z.object({
      entity_id_1: idField('The entity that owns, lives, works.'),
      entity_id_2: idField('The other entity.'),
      relation_type: nameField('What the first is to the second, such as owns.'),
      metadata: freeFormObject('More about it.').optional(),
      derived_from: derivedFromSchema.optional(),
      user_id: userIdSchema,
    }),
    output: z.object({ relation_id: z.int() }),
  },
  delete_entity_relation: {
    input: z.object({ relation_id: idField('The relation.'), user_id: userIdSchema }),
    output: deletionAnswer,
  },
  query_entity_relations: {
    input: z.object({
      entity_id: idField('The entity; all relations without it.').optional(),
      relation_type: optionalField(nameField('Only this kind of relation.')),
      limit: z.int().min(1).max(10_000).optional().describe('Most relations, those made first; all without it.'),
      user_id: userIdSchema,
    }),
    output: z.object({ relations: z.array(relationAnswer) }),
  },
} as const;
