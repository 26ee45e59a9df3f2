import { ContextloomError } from '@contextloom/contracts';

/** One entity tag of a list. Source: RFC 9110, section 8.8.3. */
const ENTITY_TAG = /^(W\/)?"([\x21\x23-\x7E\x80-\xFF]*)"$/;

/** The entity tag of what is at a version. */
export function toEntityTag(version: number): string {
  return `"${version}"`;
}

/** Reads the versions that an If-Match header allows; `undefined` when it allows any. Weak tags never match. */
function parseIfMatch(header: string): readonly number[] | undefined {
  if (header.trim() === '*') return undefined;
  return header.split(',').flatMap((item) => {
    const tag = ENTITY_TAG.exec(item.trim());
    if (tag === null) throw new ContextloomError('malformed', 'If-Match must be "*" or an ETag, such as "3"');
    const [, weak, value = ''] = tag;
    return weak === undefined && /^\d{1,15}$/.test(value) ? [Number(value)] : [];
  });
}

/**
 * Tells which version a write may change: the one that the If-Match header names, or any (`undefined`). Only a list of several
 * tags needs to know the present version; a single one is left to the write itself to compare.
 * @throws ContextloomError `malformed` for a header that is no entity tag, `precondition_failed` when none can match
 */
export async function toExpectedVersion(
  ifMatch: string | undefined,
  readVersion: () => Promise<number>,
): Promise<number | undefined> {
  const versions = ifMatch === undefined ? undefined : parseIfMatch(ifMatch);
  if (versions === undefined || versions.length === 1) return versions?.[0];
  const version = await readVersion();
  if (versions.includes(version)) return version;
  throw new ContextloomError('precondition_failed', `it is at version ${version}, which If-Match does not name`);
}
