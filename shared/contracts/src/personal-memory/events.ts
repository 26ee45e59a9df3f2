import { z } from 'zod';
import { derivedFromSchema } from '../derivations.ts';
import { userIdSchema } from '../values/identifiers.ts';
import { freeFormObject } from '../values/json.ts';
import {
  deletionAnswer,
  endField,
  eventFilterFields,
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
  shareField,
  storedObject,
  tagField,
  tagsField,
  textField,
  totalAnswer,
} from './fields.ts';
import { eventTypes, groupings, usualLimits } from './words.ts';

/** An event in an answer. */
const eventAnswer = z.object({
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
    .describe('Of a query: how sure it is that this answers it, 0 to 1; the same in every store.'),
});

/** The operations about events. */
export const eventOperations = {
  add_event: {
    input: z.object({
      event_type: z.enum(eventTypes).describe('What kind of thing happened; memory://event-templates explains them.'),
      description: textField('What happened, in words by which it can be found again.'),
      related_entity_ids: z
        .array(idField('An entity.'))
        .max(100, 'must have at most 100 ids')
        .optional()
        .describe('The entities that it is about.'),
      metadata: freeFormObject('More about it, such as {"cost": 2000, "location": "北京"}.').optional(),
      timestamp: optionalField(z.string()).describe(
        'When it happened: ISO 8601, or a day such as 2025-10-27, yesterday, 昨天. Now when left out.',
      ),
      importance: shareField('How important it is.').default(0.5),
      tags: tagsField.optional(),
      parent_event_id: idField('The event that this is a part or a consequence of.').optional(),
      derived_from: derivedFromSchema.optional(),
      expires_at: endField,
      user_id: userIdSchema,
    }),
    output: z.object({ event_id: z.int() }),
  },
  analyze_trends: {
    input: z.object({ ...eventFilterFields, user_id: userIdSchema }),
    output: z.object({
      events: z.int(),
      first_at: z.string().nullable(),
      last_at: z.string().nullable(),
      events_per_month: z.number(),
      spend: z.number(),
      months: z.array(z.object({ month: z.string(), events: z.int(), spend: z.number() })),
      rhythm: z
        .object({
          interval_days: z.number(),
          strength: z.number().describe('The share of the gaps that keep to it, 0 to 1.'),
          next_expected: z.string(),
          overdue: z.boolean(),
        })
        .nullable()
        .describe('null when there are too few events, or no rhythm in them.'),
    }),
  },
  delete_event: { input: z.object({ event_id: idField('The event.'), user_id: userIdSchema }), output: deletionAnswer },
  get_event: {
    input: z.object({ event_id: idField('The event.'), user_id: userIdSchema }),
    output: z.object({ event: eventAnswer }),
  },
  query_entity_timeline: {
    input: z.object({
      entity_id: idField('The entity.'),
      limit: limitField(usualLimits.timeline),
      offset: offsetField,
      user_id: userIdSchema,
    }),
    output: z.object({ events: z.array(eventAnswer), next_offset: nextOffsetAnswer }),
  },
  search_events: {
    input: z.object({
      query: optionalField(textField('What to look for, in words of any language.', 1_000)),
      keywords: optionalField(keywordsField),
      min_score: z
        .number()
        .min(0, 'must be a number from 0 to 1')
        .max(1, 'must be a number from 0 to 1')
        .optional()
        .describe('With query: what is less relevant is left out.'),
      match_mode: matchModeField,
      ...eventFilterFields,
      tag: tagField,
      event_ids: z
        .array(idField('An event.'))
        .max(1_000, 'must have at most 1000 ids')
        .optional()
        .describe('Only among these; among none when it is empty.'),
      limit: limitField(usualLimits.search),
      offset: offsetField,
      user_id: userIdSchema,
    }),
    output: z.object({
      events: z.array(eventAnswer),
      next_offset: nextOffsetAnswer,
      total: totalAnswer,
      nearest_score: z
        .number()
        .optional()
        .describe('Where nothing fits the query: how relevant the best event was, 0 to 1.'),
    }),
  },
  summarize_events: {
    input: z.object({
      group_by: z.enum(groupings).describe('What the groups are.'),
      metadata_field: nameField('The number of the metadata to sum up.').default('cost'),
      ...eventFilterFields,
      user_id: userIdSchema,
    }),
    output: z.object({
      total_events: z.int(),
      numbers: numbersAnswer,
      groups: z.array(
        z.object({
          group: z.string(),
          entity_id: z.int().optional(),
          count: z.int(),
          first_at: z.string(),
          last_at: z.string(),
          numbers: numbersAnswer,
        }),
      ),
    }),
  },
  update_event: {
    input: z.object({
      event_id: idField('The event.'),
      event_type: optionalField(z.enum(eventTypes)).describe('What kind of thing happened.'),
      description: optionalField(textField('What happened.')),
      related_entity_ids: z
        .array(idField('An entity.'))
        .max(100, 'must have at most 100 ids')
        .optional()
        .describe('The entities that it is about, in place of those it has.'),
      metadata: freeFormObject('Keys to set; null removes one.').optional(),
      timestamp: optionalField(z.string()).describe('When it happened: ISO 8601, or a day such as 2025-10-27, 昨天.'),
      importance: shareField('How important it is.').optional(),
      tags: tagsField.optional(),
      user_id: userIdSchema,
    }),
    output: z.object({ updated: z.boolean(), changes: z.int().optional(), message: z.string().optional() }),
  },
} as const;
