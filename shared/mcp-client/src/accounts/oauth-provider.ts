import { randomBytes } from 'node:crypto';
import type { FetchLike, OAuthClientProvider } from '@modelcontextprotocol/client';
import { createBoundedFetch } from '../transport/bounded-fetch.ts';
import type { OAuthLogin } from './credential.ts';

/** How long an authorization server may take, in milliseconds: less than a lock lives whose holder was killed. */
const TIMEOUT_MS = 8_000;
/** More than any answer of one has, in bytes. */
const MAX_BYTES = 1_048_576;

const fetchBounded = createBoundedFetch({ onTooLarge: () => undefined, maxBytes: MAX_BYTES });

/** Asks an authorization server, and remembers when it could not answer. */
interface LoginFetch {
  readonly fetch: FetchLike;
  /** Why a request was not answered: the server is away or overloaded, and may be back in a moment. */
  readonly outage: () => unknown;
}

/** Asks authorization servers: with a deadline, and nothing of the connection to the MCP server, whose headers are not for them. */
export function createLoginFetch(): LoginFetch {
  let outage: unknown;
  return {
    outage: () => outage,
    fetch: async (url, init) => {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const response = await fetchBounded(url, { ...init, signal }).catch((cause: unknown) => {
        outage = cause;
        throw cause;
      });
      if (response.status >= 500 || response.status === 429) outage = new Error(`HTTP ${response.status}`);
      return response;
    },
  };
}

/** What the SDK's login and renewal work on. */
export interface OAuthProviderOptions {
  readonly login: OAuthLogin;
  /** The scopes to ask for; the server's own choice without it. */
  readonly scope?: string | undefined;
  /** The secret of a client that has one: it stands in the configuration, and is not kept with the login. */
  readonly clientSecret?: string | undefined;
  /** Keeps what became known. */
  readonly save: (login: OAuthLogin) => void | Promise<void>;
  /** Takes a person to the authorization server. */
  readonly onRedirect: (url: URL) => void;
}

/** An {@link OAuthClientProvider} over one login, and the text that its callback must bring. */
export interface OAuthProvider extends OAuthClientProvider {
  readonly expectedState: string;
}

/** Makes what the SDK's OAuth client reads and writes. The code verifier is kept in memory alone: one process logs in. */
export function createOAuthProvider(options: OAuthProviderOptions): OAuthProvider {
  const { login, scope, clientSecret, save, onRedirect } = options;
  let current = login;
  let verifier = '';
  const expectedState = randomBytes(24).toString('base64url');
  const change = async (changed: Partial<OAuthLogin>): Promise<void> => {
    current = { ...current, ...changed };
    await save(current);
  };
  return {
    expectedState,
    redirectUrl: login.redirectUrl,
    clientMetadata: {
      client_name: 'Contextloom',
      redirect_uris: [login.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      ...(scope !== undefined && { scope }),
    },
    state: () => expectedState,
    clientInformation: () =>
      clientSecret === undefined
        ? current.client
        : current.client && { ...current.client, client_secret: clientSecret },
    saveClientInformation: (client) => {
      if (clientSecret === undefined) return change({ client });
      const { client_secret: _configured, ...kept } = client;
      return change({ client: kept });
    },
    tokens: () => current.tokens,
    saveTokens: (tokens) => change({ tokens }),
    redirectToAuthorization: onRedirect,
    saveCodeVerifier: (text) => {
      verifier = text;
    },
    codeVerifier: () => verifier,
    discoveryState: () => current.discovery,
    saveDiscoveryState: (discovery) => change({ discovery }),
    invalidateCredentials: (what) => {
      if (what === 'all') return change({ client: undefined, tokens: undefined, discovery: undefined });
      if (what === 'client') return change({ client: undefined });
      if (what === 'tokens') return change({ tokens: undefined });
      if (what === 'discovery') return change({ discovery: undefined });
      verifier = '';
      return undefined;
    },
  };
}
