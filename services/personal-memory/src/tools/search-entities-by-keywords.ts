import { z } from 'zod';
import { searchEntities } from '../domain/search.ts';
import { entityAnswer, toEntityAnswer } from './answers.ts';
import { entityFilterFields, keywordsField, limitField, matchModeField } from './search-fields.ts';
import { defineUserTool } from './user-tool.ts';

/** Searches entities. */
export const searchEntitiesTool = defineUserTool({
  name: 'search_entities_by_keywords',
  title: 'Find pets, people, things',
  description: 'Finds entities by words in their names, attributes and tags, best first.',
  kind: 'reads',
  list: 'entities',
  input: z.object({
    keywords: keywordsField,
    ...entityFilterFields,
    match_mode: matchModeField,
    limit: limitField(20),
  }),
  output: z.object({ entities: z.array(entityAnswer) }),
  run: async (search, context) => ({
    entities: (await searchEntities(search, context)).map(({ item, ...fit }) => toEntityAnswer(item, fit)),
  }),
});
