import { z } from 'zod';
import { searchProfile } from '../domain/search.ts';
import { profileAnswer, toProfileAnswer } from './answers.ts';
import { categoryField, keywordsField, limitField, matchModeField } from './search-fields.ts';
import { defineUserTool } from './user-tool.ts';

/** Searches attributes of the user. */
export const searchProfileTool = defineUserTool({
  name: 'search_profile_by_keywords',
  title: 'Find facts about the user',
  description:
    'Finds basic facts about the user by words in their keys, values and tags, best first; with "any" also what comes close.',
  kind: 'reads',
  list: 'profile',
  input: z.object({
    keywords: keywordsField,
    category: categoryField,
    match_mode: matchModeField,
    limit: limitField(20),
  }),
  output: z.object({ profile: z.array(profileAnswer) }),
  run: async (search, context) => {
    const found = await searchProfile(search, context);
    return { profile: found.map(({ item, ...fit }) => toProfileAnswer(item, context.now(), fit)) };
  },
});
