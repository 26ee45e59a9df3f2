import { DERIVED_FROM_KEY, readSources, withTrustOfSources } from '@contextloom/contracts';
import { findSaidBy } from '@contextloom/retrieval';
import type { KeyedDocument } from '../store.ts';
import { OWNER_KEY } from './scope.ts';

/** The id of the document that has an address. */
const toId = (address: string): string | undefined => /^(?:note|typed):(.+)$/su.exec(address)?.[1];

/** The ids of the documents that one was drawn from, as far as it lists them. */
function toSourceIdsOf({ metadata }: KeyedDocument): readonly string[] {
  return metadata[DERIVED_FROM_KEY] === undefined ? [] : readSources(metadata).flatMap((one) => toId(one) ?? []);
}

/** The ids of the documents that others were drawn from, as far as these list them. */
export function toSourceIds(documents: readonly KeyedDocument[]): readonly string[] {
  return [...new Set(documents.flatMap(toSourceIdsOf))];
}

function withTrustOf(document: KeyedDocument, sources: ReadonlyMap<string, KeyedDocument>): KeyedDocument {
  const { [OWNER_KEY]: owner = null } = document.metadata;
  const names = { user: typeof owner === 'string' ? [owner] : [] };
  const saidBy = toSourceIdsOf(document).flatMap((id) => {
    const source = sources.get(id);
    const isOwn = source !== undefined && (source.metadata[OWNER_KEY] ?? null) === owner;
    return isOwn ? findSaidBy(source, names) : [];
  });
  const metadata = withTrustOfSources(document.metadata, saidBy);
  return metadata === document.metadata ? document : { ...document, metadata };
}

/**
 * Documents with the trust of what they were drawn from, of those that are known and of each other, in order: whoever stores one cannot
 * have it believed more than its sources.
 */
export function withSourceTrust(
  documents: readonly KeyedDocument[],
  known: readonly KeyedDocument[],
): readonly KeyedDocument[] {
  const sources = new Map([...known, ...documents].map((one) => [one.id, one]));
  return documents.map((document) => {
    const trusted = withTrustOf(document, sources);
    sources.set(trusted.id, trusted);
    return trusted;
  });
}
