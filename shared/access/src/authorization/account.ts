import { type Keyring, toKeyPrincipal } from '../credentials/keys.ts';
import type { StoredKey } from '../credentials/stored-key.ts';
import { narrowPrincipal, type Principal } from '../principal/principal.ts';
import type { StoredConnection } from './connection-store.ts';

/** A person as the provider knows it: the key that they signed in with, and whose memory it opens. */
export interface Account {
  readonly keyHash: string;
  readonly userId: string;
}

/** An account as one text. */
export const toAccountId = ({ keyHash, userId }: Account): string => `${keyHash}:${userId}`;

/** The account of a text that {@link toAccountId} made. */
export function parseAccountId(text: string): Account {
  const at = text.indexOf(':');
  return { keyHash: text.slice(0, at), userId: text.slice(at + 1) };
}

/** The key of an account while it is good, and still reaches the person. */
export function findKey(keyring: Keyring, { keyHash, userId }: Account, server: string): StoredKey | undefined {
  const key = keyring.findByHash(keyHash, server);
  if (key === undefined) return undefined;
  const { users } = toKeyPrincipal(key);
  return users === 'all' || users.includes(userId) ? key : undefined;
}

/** What a connection may do: for its person alone, what its key may and the person allowed; never what needs an administrator. */
export function toConnectionPrincipal(key: StoredKey, connection: StoredConnection, scope: string): Principal {
  const { id, user_id: userId, client_name: client, scopes } = connection;
  const requested = scope.split(' ');
  return {
    ...narrowPrincipal(toKeyPrincipal(key), {
      users: [userId],
      projects: key.projects ?? [],
      scopes: scopes.filter((one) => requested.includes(one)),
    }),
    // Sessions and limits go by the name, and programs choose theirs: the id tells two apart.
    name: `key ${key.name} through ${client} (${id.slice(0, 8)})`,
  };
}
