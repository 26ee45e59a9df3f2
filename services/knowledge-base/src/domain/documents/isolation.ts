import { ContextloomError, type JsonObject, type JsonValue, parseInput, userIdSchema } from '@contextloom/contracts';
import { z } from 'zod';
import type { Isolation } from '../knowledge-base.ts';
import type { Selection, Visibility } from '../store.ts';
import { OWNER_KEY, type Scope, type ScopedFilter, toOwnerText } from './scope.ts';

const ownerSchema = z.string('must be a user id of 1 to 256 characters, or null').pipe(userIdSchema);

/** The owner of documents that belong to no user; every call may see them. */
const NOBODY = toOwnerText(null);

function ownerIn(metadata: JsonObject): JsonValue {
  return Object.hasOwn(metadata, OWNER_KEY) ? (metadata[OWNER_KEY] ?? null) : null;
}

/**
 * The owner of a document as its row holds it.
 * @throws ContextloomError `invalid` when documents are kept apart and this one names no proper user
 */
export function toOwner(metadata: JsonObject, isolation: Isolation, field = `metadata.${OWNER_KEY}`): string {
  const userId = ownerIn(metadata);
  if (isolation === 'strict' && userId !== null) parseInput(ownerSchema, userId, [field]);
  return toOwnerText(userId);
}

/** Metadata as filters see it: a null `user_id` counts as absent. */
export function omitNullOwner(metadata: JsonObject): JsonObject {
  if (ownerIn(metadata) !== null) return metadata;
  const { [OWNER_KEY]: _nobody, ...rest } = metadata;
  return rest;
}

/** What a call that names these users may see: their documents and those of no user; everything when isolation is off. */
export function toVisibility(isolation: Isolation, users: readonly string[]): Visibility {
  if (isolation === 'off') return { kind: 'everyone' };
  return { kind: 'owners', owners: [NOBODY, ...new Set(users.map(toOwnerText))] };
}

/** A user's own documents and nothing else, with and without isolation. */
export function toOwned(userId: string | undefined): Visibility {
  return { kind: 'owners', owners: userId === undefined ? [] : [toOwnerText(userId)] };
}

/** What a call counts: the documents of the user that it names, or else those of no user; everything when isolation is off. */
export function toCounted(isolation: Isolation, userId: string | undefined): Visibility {
  if (isolation === 'off') return { kind: 'everyone' };
  return { kind: 'owners', owners: [userId === undefined ? NOBODY : toOwnerText(userId)] };
}

/**
 * What a call of this scope may see. The users that it names open their documents; owners outside of its limit are left out
 * from the start, which lets a store go by its owners.
 * @throws ContextloomError `invalid` when documents are kept apart and it names an impossible user
 */
export function toVisibilityOf({ users, owners }: Scope, isolation: Isolation): Visibility {
  if (isolation === 'strict')
    for (const user of users) parseInput(userIdSchema, user, [`metadata_filter.${OWNER_KEY}`]);
  const visible = toVisibility(isolation, users);
  if (owners === undefined) return visible;
  const limit = new Set(owners);
  return {
    kind: 'owners',
    owners: visible.kind === 'everyone' ? owners : visible.owners.filter((one) => limit.has(one)),
  };
}

/**
 * The documents that a search or listing is about: those that its condition leaves, of those that it may see.
 * @throws ContextloomError `invalid` when documents are kept apart and it names an impossible user
 */
export function toSelection({ scope, condition }: ScopedFilter, isolation: Isolation): Selection {
  return { visible: toVisibilityOf(scope, isolation), condition };
}

/**
 * Refuses a change that would give a document to another user, or to none.
 * @throws ContextloomError `invalid`
 */
export function refuseNewOwner(before: JsonObject, after: JsonObject, isolation: Isolation): void {
  if (isolation === 'off' || toOwner(before, 'off') === toOwner(after, 'off')) return;
  const field = `metadata.${OWNER_KEY}`;
  throw new ContextloomError(
    'invalid',
    `${field} cannot be changed: delete the document and add it for the other user`,
    {
      field,
    },
  );
}
