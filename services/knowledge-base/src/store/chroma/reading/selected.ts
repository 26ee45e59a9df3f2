import { meets } from '@contextloom/retrieval/filter';
import type { Selection } from '../../../domain/store.ts';
import { type StoredRow, toAttributesOf } from '../rows/rows.ts';

/** Whether a row is shown, and is one of the selection's: what the engine's own filter only comes near to. */
export function isSelected(row: StoredRow, { visible, condition }: Selection): boolean {
  if (row.state !== 'live') return false;
  if (visible.kind === 'owners' && !visible.owners.includes(row.head.owner)) return false;
  return condition.test === 'always' || meets(toAttributesOf(row), condition);
}
