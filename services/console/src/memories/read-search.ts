import { hasTellingWords } from './mark-words.ts';

/** What the one field for searching says: what is looked for, and when that was. */
export interface Search {
  /** Empty where only a time is named. */
  readonly query: string;
  /** The words that name the time, and its first and last day. */
  readonly when?: string;
  readonly from?: string;
  readonly to?: string;
}

/**
 * Takes the time out of what somebody looks for: "the boat last summer" is "the boat" within three months. The words of times are those
 * of the languages that the stores read; they are loaded with the first search.
 */
export async function readSearch(text: string, now = new Date()): Promise<Search> {
  // Without the server there are no such words; the search itself reports that it does not answer.
  const times = await import('@contextloom/retrieval/time').catch(() => undefined);
  if (times === undefined) return { query: text };
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const timed = times.takeTime(text, { reference: now, zone });
  if (timed === undefined) return { query: text };
  const { when, from, to, rest, matter } = timed;
  return { query: hasTellingWords(matter) ? rest : '', when, from, to };
}
