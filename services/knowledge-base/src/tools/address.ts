import { identifier, userIdSchema } from '@contextloom/contracts';
import { z } from 'zod';
import type { DocumentAddress } from '../domain/knowledge-base.ts';

/** Which document a tool is about, and for whom it is called. */
export const addressFields = {
  doc_id: identifier('Id of the document.'),
  user_id: userIdSchema.optional().describe('The user whose document it is; without it only documents of no user.'),
};

/** The version that a change expects. */
export const versionField = {
  version: z.number().int().optional().describe('Act only while the document is at this version.'),
};

/** Arguments of {@link addressFields} and {@link versionField}. */
interface AddressArguments {
  readonly doc_id: string;
  readonly user_id?: string | undefined;
  readonly version?: number | undefined;
}

/** Reads the address of a document out of a tool's arguments. */
export function toAddress({ doc_id, user_id, version }: AddressArguments): DocumentAddress {
  return { id: doc_id, userId: user_id, version };
}
