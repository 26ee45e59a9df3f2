import { userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { searchProfile } from '../../domain/search/search.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { categoryField, keywordsField, limitField, matchModeField, toListText } from '../wire-schemas.ts';
import { exampleFact, profileAnswer, toProfileAnswer } from './profile-answer.ts';

/** Searches attributes of the user. */
export const searchProfileOperation = defineOperation({
  name: 'search_profile_by_keywords',
  title: 'Find facts about the user',
  description: 'Finds basic facts about the user by words in their keys, values and tags, best first.',
  effect: 'reads',
  scope: 'user',
  input: z.object({
    keywords: keywordsField,
    category: categoryField,
    match_mode: matchModeField,
    limit: limitField(20),
    user_id: userIdSchema,
  }),
  output: z.object({ profile: z.array(profileAnswer) }),
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
