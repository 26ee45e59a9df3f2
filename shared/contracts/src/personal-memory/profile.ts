import { z } from 'zod';
import { derivedFromSchema } from '../derivations.ts';
import { trustSchema } from '../trust.ts';
import { userIdSchema } from '../values/identifiers.ts';
import {
  categoryField,
  changeFields,
  deletionAnswer,
  endField,
  fitFields,
  idField,
  keywordsField,
  limitField,
  matchModeField,
  nameField,
  nextOffsetAnswer,
  offsetField,
  optionalField,
  shareField,
  tagsField,
  textField,
  totalAnswer,
} from './fields.ts';
import { categories, changeKinds } from './words.ts';

/** An attribute of the user in an answer. */
const profileAnswer = z.object({
  key: z.string(),
  value: z.string(),
  category: z.enum(categories).nullable(),
  updated_at: z.string(),
  confidence: z.number().describe('0 to 1; lower the longer ago it was said.'),
  tags: z.array(z.string()),
  ...fitFields,
});

/** The operations about the profile. */
export const profileOperations = {
  delete_profile: {
    input: z.object({
      key: nameField('The key of the fact.'),
      erase_history: z.boolean().default(false).describe('Whether earlier values go as well, for good.'),
      user_id: userIdSchema,
    }),
    output: deletionAnswer,
  },
  query_profile_history: {
    input: z.object({ key: nameField('The key of the fact.'), user_id: userIdSchema }),
    output: z.object({
      versions: z.array(
        z.object({
          version: z.int().describe('What rollback_profile takes as "to".'),
          value: z.string(),
          category: z.enum(categories).nullable(),
          tags: z.array(z.string()),
          confidence: z.number().describe('As it was stored.'),
          change: z.enum(changeKinds),
          changed_at: z.string(),
        }),
      ),
    }),
  },
  query_profile: {
    input: z.object({
      keys: optionalField(z.array(nameField('A key.')).max(500, 'must have at most 500 keys')).describe(
        'Only these keys.',
      ),
      category: categoryField,
      ...changeFields,
      limit: limitField(1_000),
      offset: offsetField,
      user_id: userIdSchema,
    }),
    output: z.object({ profile: z.array(profileAnswer), next_offset: nextOffsetAnswer, total: totalAnswer }),
  },
  rollback_profile: {
    input: z.object({
      key: nameField('The key of the fact.'),
      to: idField('A version of query_profile_history; the one before when left out.').optional(),
      user_id: userIdSchema,
    }),
    output: z.object({
      rolled_back: z.boolean(),
      value: z.string().nullable(),
      previous_value: z.string().nullable(),
      message: z.string().optional(),
    }),
  },
  search_profile_by_keywords: {
    input: z.object({
      keywords: keywordsField,
      category: categoryField,
      match_mode: matchModeField,
      limit: limitField(20),
      user_id: userIdSchema,
    }),
    output: z.object({ profile: z.array(profileAnswer) }),
  },
  update_profile: {
    input: z.object({
      key: nameField('What it is, such as "workplace" or "favorite_food".'),
      value: textField('What it is now.'),
      category: optionalField(z.enum(categories)).describe('The kind of fact; the one it has stays when left out.'),
      tags: tagsField.optional(),
      confidence: shareField('How sure it is; 1 when left out.').optional(),
      derived_from: derivedFromSchema.optional(),
      trust: trustSchema.optional(),
      expires_at: endField,
      user_id: userIdSchema,
    }),
    output: z.object({
      updated: z.boolean(),
      had_previous_value: z.boolean(),
      previous_value: z.string().nullable(),
      contradicts_today: z
        .array(z.string())
        .describe(
          'Other values given for the same key, or one that means the same, today: ask the user which one is right.',
        ),
      conflicts: z
        .array(z.object({ key: z.string(), value: z.string() }))
        .describe('Keys that mean the same and say otherwise: ask the user, and delete_profile what no longer holds.'),
      expires_at: z.string().optional().describe('When it is forgotten by itself; absent where it has no end.'),
    }),
  },
} as const;
