import type { DocumentInput, ListRequest, SearchRequest } from '@contextloom/contracts';
import { OWNER_KEY, type ScopedFilter, toScopedFilter } from '../../domain/documents/scope.ts';

/** Where documents that are given name their users. */
const ownersOf = (documents: readonly DocumentInput[]): readonly string[] =>
  documents.flatMap(({ metadata }) => {
    const user = Object.hasOwn(metadata, OWNER_KEY) ? metadata[OWNER_KEY] : undefined;
    return typeof user === 'string' ? [user] : [];
  });

type Arguments = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Arguments =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A document that names nobody becomes the caller's. */
function fillDocument(document: unknown, user: string): unknown {
  if (!isRecord(document)) return document;
  const metadata = document['metadata'] ?? {};
  if (!isRecord(metadata) || (metadata[OWNER_KEY] ?? null) !== null) return document;
  return { ...document, metadata: { ...metadata, [OWNER_KEY]: user } };
}

/** A document names its user in its metadata. */
export const documentSubject = {
  places: [`metadata.${OWNER_KEY}`],
  named: (document: DocumentInput) => ownersOf([document]),
  fill: (args: Arguments, user: string) => fillDocument(args, user) as Arguments,
};

/** So do several, each its own; all of them must, where a caller's reach is limited. */
export const documentsSubject = {
  places: [`documents.*.metadata.${OWNER_KEY}`],
  named: ({ documents }: { readonly documents: readonly DocumentInput[] }) => {
    const owners = ownersOf(documents);
    return owners.length < documents.length ? [] : owners;
  },
  fill: (args: Arguments, user: string): Arguments => {
    const { documents } = args;
    return Array.isArray(documents)
      ? { ...args, documents: documents.map((document: unknown) => fillDocument(document, user)) }
      : args;
  },
};

/** A search or listing with its filter translated; the request is as it came, for a knowledge base behind HTTP. */
interface ScopedCall<Request> {
  readonly request: Request;
  readonly filter: ScopedFilter;
}

/** Translates the filter of a search or listing, once for its rights and its answer. */
export function toScopedCall<Request extends SearchRequest | ListRequest>(request: Request): ScopedCall<Request> {
  return { request, filter: toScopedFilter(request) };
}

/** A search or a listing names users in `user_id`, and anywhere in its filter: all of them are in its scope. */
export const scopeSubject = {
  places: ['user_id', `metadata_filter.${OWNER_KEY}`],
  named: ({ filter }: ScopedCall<unknown>) => filter.scope.users,
};
