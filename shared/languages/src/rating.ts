import type { Language } from '@contextloom/contracts';
import { rating as english } from './en/rating.ts';
import type { RatingWords } from './rating-words.ts';
import { rating as chinese } from './zh/rating.ts';

export type { RatingLevel, RatingWords, StatementKind } from './rating-words.ts';

/**
 * In the order in which a text is looked at for a script. Japanese has no words yet: what has Han is read as Chinese, and the rest as
 * English.
 */
const data: Readonly<Record<Language, RatingWords | undefined>> = { ja: undefined, zh: chinese, en: english };

/** The words that rate what is said, of the languages that have any; a text in the script of none is read by the last. */
export const ratingWords: readonly RatingWords[] = Object.values(data).flatMap((words) => words ?? []);
