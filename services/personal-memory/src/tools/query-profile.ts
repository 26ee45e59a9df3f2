import { z } from 'zod';
import { nameField, optionalField } from '../domain/fields.ts';
import { profileAnswer, toProfileAnswer } from './answers.ts';
import { categoryField } from './search-fields.ts';
import { defineUserTool } from './user-tool.ts';

/** Lists attributes of the user. */
export const queryProfileTool = defineUserTool({
  name: 'query_profile',
  title: 'What is known about the user',
  description: 'Lists basic facts about the user: all, some by their keys, or those of a category.',
  kind: 'reads',
  list: 'profile',
  input: z.object({
    keys: optionalField(z.array(nameField('A key.')).max(500, 'must have at most 500 keys')).describe(
      'Only these keys.',
    ),
    category: categoryField,
  }),
  output: z.object({ profile: z.array(profileAnswer) }),
  run: (filter, { memory, now }) => ({
    profile: memory.profile(filter).map((entry) => toProfileAnswer(entry, now())),
  }),
});
