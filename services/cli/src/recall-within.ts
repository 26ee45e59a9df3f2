import { readQuestion } from '@contextloom/retrieval';
import { type TimedText, takeTime } from '@contextloom/retrieval/time';
import type { Aggregator } from './aggregator.ts';

/** What is recalled, and whose. */
export interface RecallQuestion {
  readonly query: string;
  readonly limit: number;
  readonly user_id: string;
}

/** Where the days of a question begin: now, and an IANA time zone. */
export interface Today {
  readonly now: Date;
  readonly zone: string;
}

type Recalled = Pick<Awaited<ReturnType<typeof list>>, 'memories' | 'not_asked'>;

/** What was found, and the time that the question names. */
export interface RecalledWithin extends Recalled {
  readonly time?: (Pick<TimedText, 'when' | 'from' | 'to'> & { readonly isMet: boolean }) | undefined;
}

const list = (aggregator: Pick<Aggregator, 'call'>, { limit, user_id }: RecallQuestion, time_range: string) =>
  aggregator.call('list_memories', { limit, user_id, time_range, order: 'newest' });

/**
 * Finds what answers a question within the time that it names, or lists that time where nothing else is looked for; of any time where
 * there is nothing.
 */
export async function recallWithin(
  aggregator: Pick<Aggregator, 'call'>,
  question: RecallQuestion,
  { now, zone }: Today,
): Promise<RecalledWithin> {
  const timed = takeTime(question.query, { reference: now, zone });
  if (timed === undefined) return aggregator.call('recall', question);
  const { when, from, to, rest, matter } = timed;
  const time_range = `${from}..${to}`;
  const found: Recalled = readQuestion(matter).isEmpty
    ? await list(aggregator, question, time_range)
    : await aggregator.call('recall', { ...question, query: rest, time_range });
  const time = { when, from, to };
  if (found.memories.length > 0) return { ...found, time: { ...time, isMet: true } };
  return { ...(await aggregator.call('recall', question)), time: { ...time, isMet: false } };
}
