import { ContextloomError } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import type { Provider } from 'oidc-provider';
import { createLimiter } from '../calls/limits.ts';
import { createSharedCounter } from '../calls/shared-counts.ts';
import type { KeyDatabase } from '../credentials/key-database.ts';
import type { KeySource } from '../credentials/key-source.ts';
import { createKeyring, type Keyring } from '../credentials/keys.ts';
import type { AccessConfig } from '../open-access.ts';
import { findKey, parseAccountId, toConnectionPrincipal } from './account.ts';
import type { Authorization } from './authorization.ts';
import { type ConnectionStore, openConnectionStore } from './connection-store.ts';
import { createConsent } from './consent.ts';
import { fetchPublic } from './fetch-public.ts';
import { createHandler, RESOURCE_METADATA, sendErrorPage } from './handler.ts';
import { loadProvider } from './load-provider.ts';
import { createResources, type Resources } from './resources.ts';
import { toSenderAddress } from './sender-address.ts';

/** What the authorization server is opened with. */
export interface OpenAuthorizationOptions {
  readonly config: AccessConfig;
  /** The server's name, for keys that are for some servers alone. */
  readonly server: string;
  readonly clock: () => Date;
  readonly log: Log;
  /** The keys, where they are in a database. */
  readonly keyDatabase?: (KeySource & Pick<KeyDatabase, 'database'>) | undefined;
  /** Reads what programs publish about themselves; tests have no public addresses. */
  readonly fetch?: typeof fetchPublic;
}

/**
 * Opens the authorization server of this installation.
 * @returns undefined where another one, or none, is set
 * @throws ContextloomError `invalid` without the address under which people and programs reach it
 */
export async function openAuthorization(options: OpenAuthorizationOptions): Promise<Authorization | undefined> {
  const { config, server, clock, log, fetch = fetchPublic } = options;
  if (config.authIssuer !== 'self') return undefined;
  const { publicUrl: issuer, keysFile } = config;
  if (issuer === undefined) {
    const message =
      'AUTH_ISSUER=self needs PUBLIC_URL: the https address under which people and programs reach this server';
    throw new ContextloomError('invalid', message, { field: 'PUBLIC_URL' });
  }
  const keyring = createKeyring({ file: keysFile, database: options.keyDatabase, clock });
  const database = options.keyDatabase?.database;
  const store = await openConnectionStore({ keysFile, database, clock });
  const resources = createResources(issuer);
  const provider = await loadProvider({
    issuer,
    store,
    log,
    fetch,
    toResource: resources.find,
    defaultResource: resources.whole,
    hasAccount: (accountId) => findKey(keyring, parseAccountId(accountId), server) !== undefined,
    renderError: sendErrorPage,
  });
  const consent = createConsent({
    provider,
    store,
    keyring,
    resources,
    server,
    clock,
    refuse: createLimiter(config, database && createSharedCounter({ database, server })).refuse,
    toAddress: toSenderAddress,
  });
  const handle = createHandler({
    issuer,
    answer: provider.callback(),
    consent,
    resources,
    refreshKeys: keyring.refresh,
  });
  return {
    handle,
    toMetadataUrl: (path) => `${issuer}${RESOURCE_METADATA}${resources.describe(path) === undefined ? '' : path}`,
    verify: createVerify({ provider, store, keyring, server, resources }),
    close: store.close,
  };
}

interface VerifyOptions {
  readonly provider: Provider;
  readonly store: ConnectionStore;
  readonly keyring: Keyring;
  readonly server: string;
  readonly resources: Resources;
}

function createVerify({ provider, store, keyring, server, resources }: VerifyOptions): Authorization['verify'] {
  return async (value, path) => {
    const token = await provider.AccessToken.find(value);
    if (token?.isValid !== true || !resources.covers([token.aud ?? []].flat(), path)) return undefined;
    const connection = await store.find(token.grantId);
    const key = findKey(keyring, parseAccountId(token.accountId), server);
    if (connection === undefined || key === undefined) return undefined;
    return toConnectionPrincipal(key, connection, token.scope ?? '');
  };
}
