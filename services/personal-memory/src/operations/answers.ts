import type { Consequence } from '@contextloom/contracts';
import { round } from '../domain/numbers.ts';
import type { Listed } from '../domain/pages.ts';
import type { Fit } from '../domain/search/search.ts';

/** Writes the offset of the next page, if there is one, and of a first page how many there are. */
export function toPageFields({ next, total }: Pick<Listed<unknown>, 'next' | 'total'>) {
  return { ...(next !== undefined && { next_offset: next }), ...(total !== undefined && { total }) };
}

/** Writes how well a hit fits the words of a search, if it has words. */
export function toFit({ score, matched }: Fit) {
  return {
    ...(score !== undefined && { relevance_score: round(score, 3) }),
    ...(matched !== undefined && { matched_keywords: [...matched] }),
  };
}

/** Writes the answer of a deletion, and what followed from it. */
export function toDeletionAnswer(deleted: boolean, consequences: readonly Consequence[] = []) {
  return {
    deleted,
    changes: Number(deleted),
    ...(consequences.length > 0 && { consequences: [...consequences] }),
  };
}

/** The text of an answer that is one list; the protocol wants an object around it in the data. */
export function toListText(list: readonly unknown[]): string {
  return JSON.stringify(list, null, 2);
}
