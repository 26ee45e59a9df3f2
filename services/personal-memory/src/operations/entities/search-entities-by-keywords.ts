import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { searchEntities } from '../../domain/search/search.ts';
import { toListText } from '../answers.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { exampleEntity, toEntityAnswer } from './entity-answer.ts';

/** Searches entities. */
export const searchEntitiesOperation = defineOperation({
  name: 'search_entities_by_keywords',
  title: 'Find pets, people, things',
  description: 'Finds entities by words in their names, attributes and tags, best first.',
  effect: 'reads',
  scope: 'user',
  ...contract.search_entities_by_keywords,
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
