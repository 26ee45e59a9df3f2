import type { Principal } from '@contextloom/access';
import type { DocumentAddress } from '@contextloom/contracts';
import { toExpectedVersion } from '@contextloom/server-kit';
import type { KnowledgeBaseContext } from '../deps.ts';

/** Where an operation on one document stands in the REST API. */
export const addressRoute = {
  path: '/documents/:id',
  names: { id: 'doc_id' },
  query: ['user_id'],
} as const;

/** The same for one that changes it: `If-Match` says which version it expects. */
export const changeRoute = {
  ...addressRoute,
  note: 'With an If-Match header it answers 412 unless the document is still at that version.',
  omits: ['version'],
  atVersion: async <I extends AddressArguments>(
    input: I,
    ifMatch: string | undefined,
    { deps: { knowledgeBase } }: KnowledgeBaseContext,
  ): Promise<I> => {
    const read = async (): Promise<number> => (await knowledgeBase.get(toAddress(input))).version;
    return { ...input, version: await toExpectedVersion(ifMatch, read) };
  },
} as const;

/** Which document, of whom, and at which version. */
interface AddressArguments {
  readonly doc_id: string;
  readonly user_id?: string | undefined;
  readonly version?: number | undefined;
}

/** Reads the address of a document out of an operation's input. */
export function toAddress({ doc_id, user_id, version }: AddressArguments): DocumentAddress {
  return { id: doc_id, userId: user_id, version };
}

/** The same for a change: a caller limited to some users cannot change a document that belongs to no user. */
export function toOwnAddress(input: AddressArguments, { users }: Principal): DocumentAddress {
  return { ...toAddress(input), ...(users !== 'all' && { isOwn: true }) };
}
