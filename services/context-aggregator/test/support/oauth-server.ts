import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** An authorization server: metadata, registration, codes with PKCE, refresh tokens that are good for one use. */
export interface OAuthServer {
  readonly issuer: string;
  /** Whose access token it is; undefined for one that is unknown or over. */
  readonly userOf: (accessToken: string) => string | undefined;
  /** Ends all access tokens that there are. */
  readonly expire: () => void;
  /** Ends all refresh tokens that there are, too. */
  readonly revoke: () => void;
  /** What the server does wrong, as tests set it. */
  readonly faults: { tokenStatus?: number | undefined; authorizeAt?: string | undefined };
  /** How often a refresh token was taken, and how often one that was used before was shown. */
  readonly counts: { refreshed: number; replayed: number };
  /** Logs a person in as a browser would: follows the redirect back. Answers the status of the page that it ends at. */
  readonly logIn: (url: URL, user: string) => Promise<number>;
  readonly close: () => Promise<void>;
}

interface Code {
  readonly user: string;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly clientId: string;
}

/** A client that was registered before, with a secret that it has to show. */
export interface ConfidentialClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Starts an authorization server on this machine, which takes any client, or this one alone. */
export async function startOAuthServer(only?: ConfidentialClient): Promise<OAuthServer> {
  const isAllowed = (request: IncomingMessage): boolean => {
    if (only === undefined) return true;
    const basic = Buffer.from(request.headers.authorization?.replace(/^Basic /, '') ?? '', 'base64').toString();
    const [id = '', ...secret] = basic.split(':').map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
    return id === only.clientId && secret.join(':') === only.clientSecret;
  };
  const clients = new Map<string, readonly string[]>();
  const codes = new Map<string, Code>();
  const access = new Map<string, string>();
  const refresh = new Map<string, string>();
  const used = new Set<string>();
  const counts = { refreshed: 0, replayed: 0 };
  const faults: OAuthServer['faults'] = {};

  function issue(user: string) {
    const tokens = { access_token: `access-${randomUUID()}`, refresh_token: `refresh-${randomUUID()}` };
    access.set(tokens.access_token, user);
    refresh.set(tokens.refresh_token, user);
    return { ...tokens, token_type: 'Bearer', expires_in: 3_600 };
  }

  const routes: Readonly<Record<string, (url: URL, body: string, response: ServerResponse) => void>> = {
    '/.well-known/oauth-authorization-server': (_url, _body, response) =>
      answer(response, 200, {
        issuer,
        authorization_endpoint: faults.authorizeAt ?? `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        ...(only === undefined && { registration_endpoint: `${issuer}/register` }),
        response_types_supported: ['code'],
        grant_types_supported: ['authorization_code', 'refresh_token'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: [only === undefined ? 'none' : 'client_secret_basic'],
      }),
    '/register': (_url, body, response) => {
      const metadata = JSON.parse(body) as { readonly redirect_uris: readonly string[] };
      const clientId = randomUUID();
      clients.set(clientId, metadata.redirect_uris);
      answer(response, 201, { ...metadata, client_id: clientId });
    },
    '/authorize': ({ searchParams: asked }, _body, response) => {
      const [clientId, redirectUri] = [asked.get('client_id') ?? '', asked.get('redirect_uri') ?? ''];
      const user = asked.get('login');
      const isKnown = clientId === only?.clientId || clients.get(clientId)?.includes(redirectUri) === true;
      if (!isKnown || user === null || asked.get('code_challenge_method') !== 'S256')
        return answer(response, 400, { error: 'invalid_request' });
      const code = randomUUID();
      codes.set(code, { user, redirectUri, clientId, challenge: asked.get('code_challenge') ?? '' });
      const back = new URL(redirectUri);
      back.searchParams.set('code', code);
      back.searchParams.set('state', asked.get('state') ?? '');
      response.writeHead(302, { location: back.href }).end();
    },
    '/token': (_url, body, response) => {
      const asked = new URLSearchParams(body);
      if (asked.get('grant_type') === 'refresh_token') {
        const token = asked.get('refresh_token') ?? '';
        const user = refresh.get(token);
        if (used.has(token)) counts.replayed += 1;
        if (user === undefined) return answer(response, 400, { error: 'invalid_grant' });
        refresh.delete(token);
        used.add(token);
        counts.refreshed += 1;
        return answer(response, 200, issue(user));
      }
      const code = codes.get(asked.get('code') ?? '');
      codes.delete(asked.get('code') ?? '');
      const challenge = createHash('sha256')
        .update(asked.get('code_verifier') ?? '')
        .digest('base64url');
      const isOurs =
        code?.redirectUri === asked.get('redirect_uri') &&
        code?.clientId === (asked.get('client_id') ?? only?.clientId);
      if (code === undefined || !isOurs || challenge !== code.challenge)
        return answer(response, 400, { error: 'invalid_grant' });
      answer(response, 200, issue(code.user));
    },
  };

  const server = createServer((request, response) => void serve(request, response));
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const body = await text(request);
    const route = routes[url.pathname];
    if (url.pathname === '/token' && faults.tokenStatus !== undefined)
      response.writeHead(faults.tokenStatus).end('away');
    else if (route === undefined) answer(response, 404, {});
    else if (url.pathname === '/token' && !isAllowed(request)) answer(response, 401, { error: 'invalid_client' });
    else route(url, body, response);
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    counts,
    faults,
    userOf: (token) => access.get(token),
    expire: () => access.clear(),
    revoke: () => {
      access.clear();
      refresh.clear();
    },
    logIn: async (url, user) => {
      const asked = new URL(url);
      asked.searchParams.set('login', user);
      const sent = await fetch(asked, { redirect: 'manual' });
      return (await fetch(sent.headers.get('location') ?? '')).status;
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
