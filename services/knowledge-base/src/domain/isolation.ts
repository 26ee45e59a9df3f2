import { ContextloomError, type JsonObject, type JsonValue, parseInput, userIdSchema } from '@contextloom/contracts';
import { conjunctsOf, type Filter, parseFilter, textsAskedOf } from '@contextloom/retrieval/filter';
import { z } from 'zod';
import type { Isolation } from './knowledge-base.ts';
import type { Visibility } from './store.ts';

/** The metadata key that says whose a document is. */
export const OWNER_KEY = 'user_id';

const ownerSchema = z.string('must be a user id of 1 to 256 characters, or null').pipe(userIdSchema);

/** The owner of documents that belong to no user; every call may see them. */
const NOBODY = 'null';

function ownerIn(metadata: JsonObject): JsonValue {
  return Object.hasOwn(metadata, OWNER_KEY) ? (metadata[OWNER_KEY] ?? null) : null;
}

/**
 * The owner of a document as its row holds it: the JSON text of `metadata.user_id`, so that the number 5 and the user "5"
 * stay apart even in a store that was filled without isolation.
 * @throws ContextloomError `invalid` when documents are kept apart and this one names no proper user
 */
export function toOwner(metadata: JsonObject, isolation: Isolation, field = `metadata.${OWNER_KEY}`): string {
  const userId = ownerIn(metadata);
  if (isolation === 'strict' && userId !== null) parseInput(ownerSchema, userId, [field]);
  return JSON.stringify(userId);
}

/** Metadata as filters see it: a null `user_id` counts as absent. */
export function withoutNobody(metadata: JsonObject): JsonObject {
  if (ownerIn(metadata) !== null) return metadata;
  const { [OWNER_KEY]: _nobody, ...rest } = metadata;
  return rest;
}

/** What a call that names these users may see: their documents and those of no user; everything when isolation is off. */
export function toVisibility(isolation: Isolation, users: readonly string[]): Visibility {
  if (isolation === 'off') return { kind: 'everyone' };
  return { kind: 'owners', owners: [NOBODY, ...new Set(users.map((user) => JSON.stringify(user)))] };
}

/** A user's own documents and nothing else, with and without isolation. */
export function toOwned(userId: string | undefined): Visibility {
  return { kind: 'owners', owners: userId === undefined ? [] : [JSON.stringify(userId)] };
}

/** What a call counts: the documents of the user that it names, or else those of no user; everything when isolation is off. */
export function toCounted(isolation: Isolation, userId: string | undefined): Visibility {
  if (isolation === 'off') return { kind: 'everyone' };
  return { kind: 'owners', owners: [userId === undefined ? NOBODY : JSON.stringify(userId)] };
}

/**
 * The users that a search or a listing names: in `user_id`, and anywhere in its filter.
 * @throws ContextloomError `invalid` for a filter that is not valid
 */
export function usersNamedIn(request: {
  readonly metadata_filter?: JsonObject | undefined;
  readonly user_id?: string | undefined;
}): readonly string[] {
  const named = textsAskedOf(parseFilter(request.metadata_filter), OWNER_KEY);
  return request.user_id === undefined ? named : [...named, request.user_id];
}

function narrow(visible: Visibility, owners: ReadonlySet<string>): Visibility {
  const left = visible.kind === 'everyone' ? [...owners] : visible.owners.filter((owner) => owners.has(owner));
  return { kind: 'owners', owners: left };
}

/**
 * What a call with this filter may see. The users that it names, wherever in it, open their documents; where it asks for a
 * document of certain users, the others' are left out from the start, which lets a store go by its owners.
 * @throws ContextloomError `invalid` when documents are kept apart and it names an impossible user
 */
export function toVisibilityOf(filter: Filter, isolation: Isolation): Visibility {
  const asked = conjunctsOf(filter).flatMap((part) =>
    part.kind === 'in' && part.key === OWNER_KEY ? [part.values] : [],
  );
  const named = textsAskedOf(filter, OWNER_KEY);
  if (isolation === 'strict')
    for (const user of named) parseInput(userIdSchema, user, [`metadata_filter.${OWNER_KEY}`]);
  return asked.reduce<Visibility>(
    (visible, users) => narrow(visible, new Set(users.map((user) => JSON.stringify(user)))),
    toVisibility(isolation, named),
  );
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
