import { z } from 'zod';
import { entityTypes, statuses } from '../domain/model.ts';
import { searchEntities } from '../domain/search.ts';
import { entityAnswer, toEntityAnswer } from './answers.ts';
import { keywordsField, limitField, matchModeField } from './search-fields.ts';
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
    entity_type: z.enum(entityTypes).optional().describe('Only this kind.'),
    status: z
      .enum([...statuses, 'all'])
      .default('active')
      .describe('Whether still part of the user’s life.'),
    match_mode: matchModeField,
    limit: limitField(20),
  }),
  output: z.object({ entities: z.array(entityAnswer) }),
  run: ({ status, ...search }, context) => ({
    entities: searchEntities({ ...search, status: status === 'all' ? undefined : status }, context).map(
      ({ item, ...fit }) => toEntityAnswer(item, fit),
    ),
  }),
});
