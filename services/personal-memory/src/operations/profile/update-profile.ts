import { userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { nameField, optionalField, shareField, tagsField, textField } from '../../domain/fields.ts';
import { categories } from '../../domain/model.ts';
import { updateProfile } from '../../domain/profile/profile.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';

/** Stores an attribute of the user. */
export const updateProfileOperation = defineOperation({
  name: 'update_profile',
  title: 'Remember something about the user',
  description:
    'Stores or replaces a basic fact about the user, such as where they work, what they like, a habit. Answers with the value that was there, and with what other keys that mean the same say (city, location).',
  effect: 'replaces',
  scope: 'user',
  input: z.object({
    key: nameField('What it is, such as "workplace" or "favorite_food".'),
    value: textField('What it is now.'),
    category: optionalField(z.enum(categories)).describe('The kind of fact; the one it has stays when left out.'),
    tags: tagsField.optional(),
    confidence: shareField('How sure it is; 1 when left out.').optional(),
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
  }),
  example: {
    input: { user_id: 'ann', key: 'city', value: 'Leith', category: 'basic_info' },
    output: {
      updated: true,
      had_previous_value: true,
      previous_value: 'Berlin',
      contradicts_today: [],
      conflicts: [{ key: 'location', value: 'Berlin' }],
    },
  },
  run: ({ user_id, ...update }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const { previous, contradicted, conflicts } = await updateProfile(update, context);
      return {
        updated: true,
        had_previous_value: previous !== undefined,
        previous_value: previous?.value ?? null,
        contradicts_today: [...contradicted],
        conflicts: conflicts.map(({ key, value }) => ({ key, value })),
      };
    }),
});
