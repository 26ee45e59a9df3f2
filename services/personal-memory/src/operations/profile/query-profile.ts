import { userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { nameField, optionalField } from '../../domain/fields.ts';
import { toListed } from '../../domain/pages.ts';
import { toTimeRange } from '../../domain/times.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import {
  categoryField,
  changeFields,
  limitField,
  nextOffsetAnswer,
  offsetField,
  toListText,
  toNextOffset,
} from '../wire-schemas.ts';
import { exampleFact, profileAnswer, toProfileAnswer } from './profile-answer.ts';

/** Lists attributes of the user. */
export const queryProfileOperation = defineOperation({
  name: 'query_profile',
  title: 'What is known about the user',
  description: 'Lists basic facts about the user: all, some by their keys, or those of a category.',
  effect: 'reads',
  scope: 'user',
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
  output: z.object({ profile: z.array(profileAnswer), next_offset: nextOffsetAnswer }),
  example: {
    input: { user_id: 'ann', category: 'basic_info' },
    output: { profile: [exampleFact] },
  },
  toText: ({ profile }) => toListText(profile),
  run: ({ user_id, limit, offset, time_range, ...given }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, (context) => {
      const { memory, clock } = context;
      const filter = { ...given, range: toTimeRange(time_range, context) };
      const listed = toListed(memory.profile(filter, { limit: limit + 1, offset }), { limit, offset });
      return { profile: listed.items.map((entry) => toProfileAnswer(entry, clock())), ...toNextOffset(listed) };
    }),
});
