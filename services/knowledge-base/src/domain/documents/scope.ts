import type { JsonValue, ListRequest, SearchRequest } from '@contextloom/contracts';
import {
  allOf,
  conjunctsOf,
  type Filter,
  hasEveryTag,
  hasSomeTag,
  lacksKey,
  lacksTag,
  parseFilter,
  type RowCondition,
  textsAskedOf,
  toRowCondition,
} from '@contextloom/retrieval/filter';

/** The metadata key that says whose a document is. */
export const OWNER_KEY = 'user_id';

/** The owner of a document as its row holds it: the JSON text of its user's id, so that the number 5 and the user "5" differ. */
export const toOwnerText = (userId: JsonValue): string => JSON.stringify(userId);

/** Whose documents a search or a listing is about: the one form of `user_id` behind the wire. */
export interface Scope {
  /** The users that the call names: it sees their documents, and those of no user. A caller must reach each of them. */
  readonly users: readonly string[];
  /** The owners outside of which no document is in the answer; absent when the call sets no such limit. */
  readonly owners?: readonly string[];
}

/** What says which documents a search or a listing is about, with the users taken out of its filter. */
export interface ScopedFilter {
  readonly scope: Scope;
  /** What is left of the filter, and the tags. Nothing reads visibility out of it. */
  readonly condition: RowCondition;
}

/** The part of a search or listing that says which documents it is about. */
type FilteredRequest = Pick<
  SearchRequest | ListRequest,
  'tags' | 'tags_all' | 'tags_any' | 'tags_none' | 'without_keys' | 'metadata_filter' | 'user_id'
>;

/** A request whose filter was taken out of it, into a {@link ScopedFilter}. */
export type WithoutFilter<Request extends FilteredRequest> = Omit<Request, 'metadata_filter' | 'user_id'>;

type OwnerLimit = Extract<Filter, { readonly kind: 'in' | 'nin' }>;

/** Whether a part that every document has to pass names the owners that are possible. */
const isOwnerLimit = (part: Filter): part is OwnerLimit => part.kind === 'in' && part.key === OWNER_KEY;

/** Whether the scope says all that this part asks. An owner that is no text says less: documents of no user lack the key. */
const isImplied = (part: Filter): boolean =>
  isOwnerLimit(part) && part.values.every((value) => typeof value === 'string');

/** The owners that are in every one of these lists; undefined without lists. */
function intersect([first, ...others]: readonly (readonly string[])[]): readonly string[] | undefined {
  const limits = others.map((list) => new Set(list));
  return first && [...new Set(first)].filter((owner) => limits.every((limit) => limit.has(owner)));
}

/**
 * Takes the users out of a request, whether it names them in `user_id` or anywhere in `metadata_filter`. A condition on users
 * that a scope cannot say, such as one inside `$or`, stays in the rest as a condition on metadata like any other.
 * @throws ContextloomError `invalid` for a filter that is not valid
 */
export function toScopedFilter(request: FilteredRequest): ScopedFilter {
  const { user_id: userId, tags = [], tags_all: all = [], tags_any: some = [] } = request;
  const { tags_none: none = [], without_keys: absent = [] } = request;
  const filter = parseFilter(request.metadata_filter);
  const named = userId === undefined ? [] : [userId];
  const parts = conjunctsOf(filter);
  const limits = [...parts.filter(isOwnerLimit).map(({ values }) => values), ...named.map((user) => [user])];
  const owners = intersect(limits.map((values) => values.map(toOwnerText)));
  const rest = parts.filter((part) => !isImplied(part)).map(toRowCondition);
  return {
    scope: { users: [...textsAskedOf(filter, OWNER_KEY), ...named], ...(owners !== undefined && { owners }) },
    condition: allOf([
      ...rest,
      hasEveryTag([...tags, ...all]),
      hasSomeTag(some),
      ...none.map(lacksTag),
      ...absent.map(lacksKey),
    ]),
  };
}
