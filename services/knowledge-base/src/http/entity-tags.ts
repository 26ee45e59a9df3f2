import { ContextloomError } from '@contextloom/contracts';
import type { DocumentAddress, KnowledgeBase } from '../domain/knowledge-base.ts';

/** One entity tag of a list. Source: RFC 9110, section 8.8.3. */
const ENTITY_TAG = /^(W\/)?"([\x21\x23-\x7E\x80-\xFF]*)"$/;

/** The entity tag of a document at a version. */
export function toEntityTag(version: number): string {
  return `"${version}"`;
}

/** Reads the versions that an If-Match header allows; `undefined` when it allows any. Weak tags never match. */
function parseIfMatch(header: string): readonly number[] | undefined {
  if (header.trim() === '*') return undefined;
  return header.split(',').flatMap((item) => {
    const tag = ENTITY_TAG.exec(item.trim());
    if (tag === null)
      throw new ContextloomError('malformed', 'If-Match must be "*" or the ETag of a document, such as "3"');
    const [, weak, value = ''] = tag;
    return weak === undefined && /^\d{1,15}$/.test(value) ? [Number(value)] : [];
  });
}

/**
 * Adds to an address the version that the If-Match header asks for.
 * @throws ContextloomError `malformed` for a header that is no entity tag, `precondition_failed` when none can match
 */
export async function withExpectedVersion(
  knowledgeBase: KnowledgeBase,
  address: DocumentAddress,
  ifMatch: string | undefined,
): Promise<DocumentAddress> {
  const versions = ifMatch === undefined ? undefined : parseIfMatch(ifMatch);
  if (versions === undefined) return address;
  if (versions.length === 1) return { ...address, version: versions[0] };
  const { version } = await knowledgeBase.get(address);
  if (versions.includes(version)) return { ...address, version };
  throw new ContextloomError(
    'precondition_failed',
    `the document is at version ${version}, which If-Match does not name`,
  );
}
