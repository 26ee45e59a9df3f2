import type { Log } from '@contextloom/runtime';
import { exportJWK, generateKeyPair } from 'jose';
import type { Adapter, Client, Context, Provider } from 'oidc-provider';
import type { AccessScope } from '../principal/principal.ts';
import { completeClient } from './client-metadata.ts';
import type { ConnectionStore } from './connection-store.ts';
import { hashSecret, UsedTwiceError } from './records.ts';

/** What a program can be allowed; what needs an administrator is not among it. */
export const connectionScopes = ['read', 'write'] as const satisfies readonly AccessScope[];

/** Where the authorization server answers. */
export const PATHS = {
  authorize: '/oauth/authorize',
  signIn: '/oauth/sign-in',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
} as const;

const MINUTE_S = 60;
const DAY_S = 86_400;

/** How long each thing lasts, in seconds; a refresh token that is used is replaced, so its time begins again. */
const LIFETIMES = {
  AuthorizationCode: MINUTE_S,
  AccessToken: 60 * MINUTE_S,
  Interaction: 10 * MINUTE_S,
  Session: 10 * MINUTE_S,
  IdToken: MINUTE_S,
  RefreshToken: 60 * DAY_S,
  Grant: 365 * DAY_S,
};

/** How programs show who they are: those on a person's machine cannot keep a secret. */
const AUTH_METHODS = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'];
const MAX_FETCHED_BYTES = 65_536;

/** What of the metadata is of OAuth 2.1: the rest is of OpenID Connect, which this server is not for. */
const METADATA = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'scopes_supported',
  'response_types_supported',
  'response_modes_supported',
  'grant_types_supported',
  'token_endpoint_auth_methods_supported',
  'code_challenge_methods_supported',
  'authorization_response_iss_parameter_supported',
  'client_id_metadata_document_supported',
];

/** What the provider works with. */
export interface ProviderOptions {
  readonly issuer: string;
  readonly store: ConnectionStore;
  /** The resource that an address names; undefined where there is none here. */
  readonly toResource: (
    address: string,
  ) => { readonly audience: string; readonly scopes: readonly string[] } | undefined;
  readonly defaultResource: string;
  /** Whether an account may still be there. */
  readonly hasAccount: (accountId: string) => boolean;
  /** Shown when a person cannot be sent back with an error. */
  readonly renderError: (
    context: Context,
    error: { readonly error: string; readonly error_description?: string },
  ) => void;
  readonly fetch: (address: string | URL, options?: RequestInit) => Promise<Response>;
  readonly log: Log;
}

/** Node 20 has no `URL.parse`, which oidc-provider calls. */
function addUrlParse(): void {
  if ('parse' in URL) return;
  const parse = (text: string, base?: string): URL | null => (URL.canParse(text, base) ? new URL(text, base) : null);
  Object.defineProperty(URL, 'parse', { value: parse, configurable: true, writable: true });
}

/** What the library says of Node 20 belongs into the log: standard error holds lines of JSON. */
async function importProvider(log: Log): Promise<Library> {
  addUrlParse();
  const { warn } = console;
  console.warn = (words: unknown): void => log.debug({ words }, 'oidc-provider');
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}

type Library = typeof import('oidc-provider');

/** Builds the provider: codes with PKCE for any program that registers or publishes what it is, tokens for one person each. */
export async function loadProvider(options: ProviderOptions): Promise<Provider> {
  const { issuer, log } = options;
  const library = await importProvider(log);
  const provider = new library.Provider(issuer, {
    ...toConfiguration(options),
    ...(await toKeys()),
    ...toClientRules(library),
    adapter: toAdapters(options.store, library),
    features: toFeatures(options, library),
    interactions: {
      policy: toPolicy(library),
      url: (_context: Context, { uid }: { readonly uid: string }) => `${PATHS.signIn}/${uid}`,
    },
  });
  provider.proxy = true;
  Object.assign(provider.Client.prototype, { compareClientSecret: isSecret });
  return provider
    .use(trimMetadata)
    .on('server_error', (_context, cause) => log.error({ cause }, 'authorization failed'));
}

function toConfiguration({ issuer, fetch, hasAccount, renderError }: ProviderOptions): object {
  return {
    cookies: { short: { httpOnly: true, sameSite: 'lax', secure: issuer.startsWith('https:') } },
    fetch,
    fetchResponseBodyLimits: { jwks_uri: MAX_FETCHED_BYTES, sector_identifier_uri: MAX_FETCHED_BYTES },
    findAccount: (_context: Context, accountId: string) =>
      hasAccount(accountId) ? { accountId, claims: () => ({ sub: accountId }) } : undefined,
    expiresWithSession: () => false,
    issueRefreshToken: (_context: Context, client: Client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    allowOmittingSingleRegisteredRedirectUri: false,
    pkce: { required: () => true },
    renderError,
    routes: {
      authorization: PATHS.authorize,
      token: PATHS.token,
      registration: PATHS.register,
      revocation: PATHS.revoke,
      jwks: '/oauth/jwks',
    },
    scopes: [...connectionScopes, 'offline_access'],
    ttl: LIFETIMES,
  };
}

function toClientRules({ errors }: Library): object {
  return {
    clientAuthMethods: AUTH_METHODS,
    // Pages of other origins are refused before; those of this one and of this machine may exchange their codes.
    clientBasedCORS: () => true,
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'], id_token_signed_response_alg: 'ES256' },
    extraClientMetadata: {
      // The provider asks about each property that it does not know: one that nobody sends has it ask once.
      properties: ['contextloom'],
      validator: (_context: Context, _key: string, _value: unknown, metadata: object) => {
        const fault = completeClient(metadata, [...connectionScopes, 'offline_access']);
        if (fault !== undefined) throw new errors.InvalidClientMetadata(fault);
      },
    },
    responseTypes: ['code'],
  };
}

/** A person signs in each time: a program that opens the page a second time is not let in by what was decided the first time. */
function toPolicy({ interactionPolicy }: Library): object {
  const policy = interactionPolicy.base();
  const signsIn = ({ oidc }: Context): boolean => oidc?.result?.login === undefined;
  policy.get('login')?.checks.add(new interactionPolicy.Check('each_time', 'signing in is needed', signsIn));
  return policy;
}

function toAdapters(store: ConnectionStore, { errors }: Library) {
  return (model: string): Adapter => {
    const adapter = store.toAdapter(model);
    const consume = async (id: string): Promise<void> => {
      await adapter.consume(id).catch((error: unknown) => {
        throw error instanceof UsedTwiceError ? new errors.InvalidGrant('it was used already') : error;
      });
    };
    return { ...adapter, consume };
  };
}

/** Nobody needs these keys: they would sign what OpenID Connect says of a person, and no program gets that here. */
async function toKeys(): Promise<object> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig' };
  return { jwks: { keys: [jwk] }, enabledJWA: { idTokenSigningAlgValues: ['ES256'] } };
}

function toFeatures({ toResource, defaultResource }: ProviderOptions, { errors }: Library): object {
  const off = { enabled: false };
  return {
    clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
    registration: { enabled: true, issueRegistrationAccessToken: false },
    revocation: {
      enabled: true,
      allowedPolicy: (_context: Context, client: Client, token: { readonly clientId: string }) =>
        token.clientId === client.clientId,
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_context: Context, _client: Client, oneOf?: readonly string[]) => oneOf ?? defaultResource,
      getResourceServerInfo: (_context: Context, address: string) => {
        const resource = toResource(address);
        if (resource === undefined) throw new errors.InvalidTarget();
        const { audience, scopes } = resource;
        return {
          audience,
          scope: scopes.join(' '),
          accessTokenFormat: 'opaque',
          accessTokenTTL: LIFETIMES.AccessToken,
        };
      },
      useGrantedResource: () => true,
    },
    devInteractions: off,
    dPoP: off,
    pushedAuthorizationRequests: off,
    rpInitiatedLogout: off,
    userinfo: off,
  };
}

/** The store has the hash of a program's secret in the place of the secret. */
function isSecret(this: Client, given: string): boolean {
  return this.clientSecret === hashSecret(given);
}

async function trimMetadata(context: Context, next: () => Promise<void>): Promise<void> {
  await next();
  if (context.oidc?.route !== 'discovery') return;
  const body = Object(context.body) as Readonly<Record<string, unknown>>;
  context.body = {
    ...Object.fromEntries(METADATA.flatMap((name) => (name in body ? [[name, body[name]]] : []))),
    scopes_supported: connectionScopes,
    token_endpoint_auth_methods_supported: AUTH_METHODS,
    revocation_endpoint_auth_methods_supported: AUTH_METHODS,
  };
}
