import { toIsoDay } from './days.ts';
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

/** Words of asking, which no memory has of its own. */
const ASKING =
  /(?<![\p{L}\p{N}])(?:happen(?:ed|s)?|sa(?:y|id)|t(?:ell|old|alk(?:ed)?)|did|do|remember(?:ed)?|memories|everything|something|anything)(?![\p{L}\p{N}])|发生|说过?|做过?|事情?|记忆|哪些|一切/giu;

/**
 * Takes the time out of what somebody looks for: "the boat last summer" is "the boat" within three months. The words of times are those
 * of the languages that the stores read; they are loaded with the first search.
 */
export async function readSearch(text: string, now = new Date()): Promise<Search> {
  // Without the server there are no such words; the search itself reports that it does not answer.
  const times = await import('@contextloom/retrieval/time').catch(() => undefined);
  if (times === undefined) return { query: text };
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [time, another] = times.findTimes(text, { reference: now, zone });
  // Of two times one would be left out in silence.
  if (time === undefined || another !== undefined) return { query: text };
  const rest = [text.slice(0, time.index), text.slice(time.index + time.text.length)]
    .map((part) => part.trim())
    .join(' ')
    .trim();
  const days = { when: time.text, from: toIsoDay(new Date(time.from)), to: toIsoDay(new Date(time.to - 1)) };
  return { query: hasTellingWords(rest.replace(ASKING, ' ')) ? rest : '', ...days };
}
