import type { ListRequest, SearchRequest } from '@contextloom/contracts';
import {
  allOf,
  conjunctsOf,
  type Filter,
  hasEveryTag,
  hasSomeTag,
  parseFilter,
  toRowCondition,
} from '@contextloom/retrieval/filter';
import { OWNER_KEY, toVisibilityOf } from './isolation.ts';
import type { Isolation } from './knowledge-base.ts';
import type { Selection } from './store.ts';

/** The part of a search or listing that says which documents it is about. */
export type SelectionRequest = Pick<
  SearchRequest | ListRequest,
  'tags' | 'tags_all' | 'tags_any' | 'metadata_filter' | 'user_id'
>;

/**
 * Whether visibility implies this condition already: its owners are those of the users that the filter asks for. An owner that is
 * no text says less: documents of no user lack the key, and match no condition on it.
 */
function isOfVisibility(part: Filter): boolean {
  if (part.kind !== 'in' || part.key !== OWNER_KEY || part.values.length === 0) return false;
  return part.values.every((value) => typeof value === 'string');
}

/**
 * The documents that a search or listing is about: those that its filter leaves, of those that it may see.
 * @throws ContextloomError `invalid` for a filter that is not valid
 */
export function toSelection(request: SelectionRequest, isolation: Isolation): Selection {
  const filter: Filter = {
    kind: 'and',
    filters: [
      parseFilter(request.metadata_filter),
      ...(request.user_id === undefined ? [] : [{ kind: 'in', key: OWNER_KEY, values: [request.user_id] } as const]),
    ],
  };
  return {
    visible: toVisibilityOf(filter, isolation),
    condition: allOf([
      ...conjunctsOf(filter)
        .filter((part) => !isOfVisibility(part))
        .map(toRowCondition),
      hasEveryTag([...(request.tags ?? []), ...(request.tags_all ?? [])]),
      hasSomeTag(request.tags_any ?? []),
    ]),
  };
}
