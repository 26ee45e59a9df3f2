import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { searchProfile } from '../../domain/search/search.ts';
import { toListText } from '../answers.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { exampleFact, toProfileAnswer } from './profile-answer.ts';

/** Searches attributes of the user. */
export const searchProfileOperation = defineOperation({
  name: 'search_profile_by_keywords',
  title: 'Find facts about the user',
  description: 'Finds basic facts about the user by words in their keys, values and tags, best first.',
  effect: 'reads',
  scope: 'user',
  ...contract.search_profile_by_keywords,
  example: {
    input: { user_id: 'ann', keywords: ['Leith'] },
    output: { profile: [{ ...exampleFact, relevance_score: 1, matched_keywords: ['Leith'] }] },
  },
  toText: ({ profile }) => toListText(profile),
  run: ({ user_id, ...search }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const hits = await searchProfile(search, context);
      return { profile: hits.map(({ item, ...fit }) => toProfileAnswer(item, context.clock(), fit)) };
    }),
});
