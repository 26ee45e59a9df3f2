import type { Log } from '@contextloom/runtime';
import type { AuthProvider } from '@modelcontextprotocol/client';
import type { ServerEntry } from '../composition/server-entry.ts';
import type { AccountName } from '../login-needed.ts';
import type { ServerEntries } from '../upstream-set.ts';
import type { CredentialStore, OpenedCredential } from './credential-store.ts';
import { createRenewingAuth } from './renewing-auth.ts';

/** With which account each server is reached. */
export interface Accounts {
  /** Another text whenever a credential may be another one. */
  readonly version: () => string;
  /** The servers as they are reached for a user, without those that it has no account for. */
  readonly toServers: (servers: ServerEntries, user: string | undefined) => ServerEntries;
}

/** Puts credentials into the entries of servers. Where one cannot be used, its server is left out: no other takes its place. */
export function createAccounts(store: CredentialStore, log: Log): Accounts {
  const providers = new Map<string, AuthProvider>();

  /** The same object for the same login, so that an entry with renewed tokens is equal to the one before. */
  function toProvider(account: AccountName, revision: string, clientSecret: string | undefined): AuthProvider {
    const key = JSON.stringify([account.server, account.user, revision, clientSecret]);
    const provider = providers.get(key) ?? createRenewingAuth(store, account, clientSecret);
    providers.set(key, provider);
    return provider;
  }

  function toEntry(server: string, entry: ServerEntry, user: string | undefined): ServerEntry | undefined {
    const { credentials = 'own' } = entry;
    const caller = { server, user };
    const theirs = credentials === 'own' || user === undefined ? undefined : store.find(caller);
    // The entry's own headers are its own account: a caller's come in their place, never next to them.
    if (theirs !== undefined) return withCredential('url' in entry ? { ...entry, headers: {} } : entry, caller, theirs);
    if (credentials === 'caller') return undefined;
    const own = { server, user: undefined };
    const ours = store.find(own);
    return ours === undefined ? entry : withCredential(entry, own, ours);
  }

  function toUsable(server: string, entry: ServerEntry, user: string | undefined): ServerEntry | undefined {
    try {
      return toEntry(server, entry, user);
    } catch (cause) {
      log.error({ server, user, cause }, 'a credential cannot be read');
      return undefined;
    }
  }

  function withCredential(
    entry: ServerEntry,
    account: AccountName,
    { credential, revision }: OpenedCredential,
  ): ServerEntry | undefined {
    if ('url' in entry) {
      if (credential.kind === 'oauth')
        return { ...entry, authProvider: toProvider(account, revision, entry.oauth?.clientSecret) };
      if (credential.kind === 'headers') return { ...entry, headers: { ...entry.headers, ...credential.values } };
    } else if (credential.kind === 'env') return { ...entry, env: { ...entry.env, ...credential.values } };
    log.warn({ ...account, kind: credential.kind }, 'a credential is of a kind that its server does not take');
    return undefined;
  }

  return {
    version: store.version,
    toServers: (servers, user) => {
      const reached = Object.entries(servers).flatMap(([name, entry]) => {
        const its = toUsable(name, entry, user);
        return its === undefined ? [] : [[name, its] as const];
      });
      return Object.fromEntries(reached);
    },
  };
}
