import { personalMemory as contract } from '@contextloom/contracts/personal-memory';
import { defineOperation } from '@contextloom/server-kit';
import { round } from '../../domain/numbers.ts';
import { searchEvents } from '../../domain/search/search.ts';
import { toListText, toPageFields } from '../answers.ts';
import { type PersonalMemoryContext, withMemoryOf } from '../deps.ts';
import { exampleEvent, toEventAnswer } from './event-answer.ts';

/** Searches events. */
export const searchEventsOperation = defineOperation({
  name: 'search_events',
  title: 'Search events',
  description:
    'Finds events by words, kind, entity and time; the names of an event’s entities count as its words. "query" also finds what comes close in meaning, best first; "keywords" only what says them, newest first, as without words.',
  effect: 'reads',
  scope: 'user',
  ...contract.search_events,
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
        ...(search.query !== undefined && fit.score !== undefined && { relevance: round(fit.score, 3) }),
      }));
      return { events, ...toPageFields(page), ...near };
    }),
});
