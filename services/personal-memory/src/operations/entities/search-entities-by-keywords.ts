import { userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { searchEntities } from '../../domain/search/search.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { entityFilterFields, keywordsField, limitField, matchModeField, toListText } from '../wire-schemas.ts';
import { entityAnswer, exampleEntity, toEntityAnswer } from './entity-answer.ts';

/** Searches entities. */
export const searchEntitiesOperation = defineOperation({
  name: 'search_entities_by_keywords',
  title: 'Find pets, people, things',
  description: 'Finds entities by words in their names, attributes and tags, best first.',
  effect: 'reads',
  scope: 'user',
  input: z.object({
    keywords: keywordsField,
    ...entityFilterFields,
    match_mode: matchModeField,
    limit: limitField(20),
    user_id: userIdSchema,
  }),
  output: z.object({ entities: z.array(entityAnswer) }),
  example: {
    input: { user_id: 'ann', keywords: ['retriever'] },
    output: { entities: [{ ...exampleEntity, relevance_score: 1, matched_keywords: ['retriever'] }] },
  },
  toText: ({ entities }) => toListText(entities),
  run: ({ user_id, ...search }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => ({
      entities: (await searchEntities(search, context)).map(({ item, ...fit }) => toEntityAnswer(item, fit)),
    })),
});
