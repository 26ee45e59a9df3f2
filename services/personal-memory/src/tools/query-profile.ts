import { z } from 'zod';
import { nameField, optionalField } from '../domain/fields.ts';
import { toListed } from '../domain/pages.ts';
import { profileAnswer, toProfileAnswer } from './answers.ts';
import { categoryField, limitField, nextOffsetAnswer, offsetField, toNextOffset } from './search-fields.ts';
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
    limit: limitField(1_000),
    offset: offsetField,
  }),
  output: z.object({ profile: z.array(profileAnswer), next_offset: nextOffsetAnswer }),
  run: ({ limit, offset, ...filter }, { memory, now }) => {
    const listed = toListed(memory.profile(filter, { limit: limit + 1, offset }), { limit, offset });
    return { profile: listed.items.map((entry) => toProfileAnswer(entry, now())), ...toNextOffset(listed) };
  },
});
