import { userIdSchema } from '@contextloom/contracts';
import { defineOperation } from '@contextloom/server-kit';
import { z } from 'zod';
import { usualLimits } from '../../domain/events/events.ts';
import { idField, optionalField, textField } from '../../domain/fields.ts';
import { searchEvents } from '../../domain/search/search.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import {
  eventFilterFields,
  keywordsField,
  limitField,
  matchModeField,
  nextOffsetAnswer,
  offsetField,
  tagField,
  toListText,
  toNextOffset,
} from '../wire-schemas.ts';
import { eventAnswer, exampleEvent, toEventAnswer } from './event-answer.ts';

/** Searches events. */
export const searchEventsOperation = defineOperation({
  name: 'search_events',
  title: 'What happened',
  description:
    'Finds events by words, kind, entity and time; the names of an event’s entities count as its words. "query" also finds what comes close in meaning, best first; "keywords" only what says them, newest first, as without words.',
  effect: 'reads',
  scope: 'user',
  input: z.object({
    query: optionalField(textField('What to look for, in words of any language.', 1_000)),
    keywords: optionalField(keywordsField),
    min_score: z
      .number()
      .min(0, 'must be a number from 0 to 1')
      .max(1, 'must be a number from 0 to 1')
      .optional()
      .describe('With query: what is less relevant is left out.'),
    match_mode: matchModeField,
    ...eventFilterFields,
    tag: tagField,
    event_ids: z
      .array(idField('An event.'))
      .max(1_000, 'must have at most 1000 ids')
      .optional()
      .describe('Only among these; among none when it is empty.'),
    limit: limitField(usualLimits.search),
    offset: offsetField,
    user_id: userIdSchema,
  }),
  output: z.object({
    events: z.array(eventAnswer),
    next_offset: nextOffsetAnswer,
    nearest_score: z
      .number()
      .optional()
      .describe('Where nothing fits the query: how relevant the best event was, 0 to 1.'),
  }),
  example: {
    input: { user_id: 'ann', query: 'vet', time_range: 'this_year' },
    output: { events: [{ ...exampleEvent, relevance_score: 0.9, relevance: 0.9, matched_keywords: ['vet'] }] },
  },
  toText: ({ events }) => toListText(events),
  run: ({ user_id, ...search }, call: PersonalMemoryContext) =>
    withMemoryOf(user_id, call, async (context) => {
      const page = await searchEvents(search, context);
      const near = page.nearest === undefined ? {} : { nearest_score: page.nearest };
      const events = page.items.map(({ item, ...fit }) => ({
        ...toEventAnswer(item, fit),
        ...(search.query !== undefined && fit.score !== undefined && { relevance: fit.score }),
      }));
      return { events, ...toNextOffset(page), ...near };
    }),
});
