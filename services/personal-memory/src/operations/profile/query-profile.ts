import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { toListed } from '../../domain/pages.ts';
import { toTimeRange } from '../../domain/times.ts';
import { toListText, toNextOffset } from '../answers.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { exampleFact, toProfileAnswer } from './profile-answer.ts';

/** Lists attributes of the user. */
export const queryProfileOperation = defineOperation({
  name: 'query_profile',
  title: 'What is known about the user',
  description: 'Lists basic facts about the user: all, some by their keys, or those of a category.',
  effect: 'reads',
  scope: 'user',
  ...contract.query_profile,
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
