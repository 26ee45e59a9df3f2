import type { Principal } from '@contextloom/access';
import { type DocumentAddress, identifier, userIdSchema } from '@contextloom/contracts';
import { toExpectedVersion } from '@contextloom/server-kit';
import { z } from 'zod';
import type { KnowledgeBaseContext } from '../deps.ts';

/** Which document an operation is about, and for whom it is called. */
export const addressFields = {
  doc_id: identifier('Id of the document.'),
  user_id: userIdSchema.optional().describe('The user whose document it is; without it only documents of no user.'),
};

/** The version that a change expects. */
export const versionField = {
  version: z.number().int().optional().describe('Act only while the document is at this version.'),
};

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

/** Arguments of {@link addressFields} and {@link versionField}. */
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
