import { z } from 'zod';
import { usualLimits } from '../domain/events.ts';
import { idField, optionalField, textField } from '../domain/fields.ts';
import { searchEvents } from '../domain/search.ts';
import { eventAnswer, toEventAnswer } from './answers.ts';
import {
  eventFilterFields,
  keywordsField,
  limitField,
  matchModeField,
  nextOffsetAnswer,
  offsetField,
  toNextOffset,
} from './search-fields.ts';
import { defineUserTool } from './user-tool.ts';

/** Searches events. */
export const searchEventsTool = defineUserTool({
  name: 'search_events',
  title: 'What happened',
  description:
    'Finds events by words, kind, entity and time; the names of an event’s entities count as its words. "query" also finds what comes close in meaning, best first; "keywords" only what says them, newest first, as without words.',
  kind: 'reads',
  list: 'events',
  input: z.object({
    query: optionalField(textField('What to look for, in words of any language.', 1_000)),
    keywords: optionalField(keywordsField),
    match_mode: matchModeField,
    ...eventFilterFields,
    event_ids: z
      .array(idField('An event.'))
      .max(1_000, 'must have at most 1000 ids')
      .optional()
      .describe('Only among these; among none when it is empty.'),
    limit: limitField(usualLimits.search),
    offset: offsetField,
  }),
  output: z.object({ events: z.array(eventAnswer), next_offset: nextOffsetAnswer }),
  run: async (search, context) => {
    const found = await searchEvents(search, context);
    return { events: found.items.map(({ item, ...fit }) => toEventAnswer(item, fit)), ...toNextOffset(found) };
  },
});
