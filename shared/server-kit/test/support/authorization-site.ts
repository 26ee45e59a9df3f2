import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessSettings, addKey, openAccess, type Principal } from '@contextloom/access';
import { openAuthorization } from '@contextloom/access/authorization';
import { readSettings, silentLog } from '@contextloom/runtime';
import { z } from 'zod';
import { createApi } from '../../src/http/api.ts';
import type { Listening } from '../../src/http/listen.ts';
import { listenHttp } from '../../src/http/listen-http.ts';
import { createMcpEndpoint } from '../../src/http/mcp-endpoint.ts';
import { defineOperation } from '../../src/operation/operation.ts';
import { createMcpServer } from '../../src/server/server-factory.ts';

const whoami = defineOperation({
  name: 'whoami',
  title: 'Who am I',
  description: 'Tells who calls.',
  effect: 'reads',
  scope: 'user',
  input: z.object({ user_id: z.string() }),
  output: z.object({ name: z.string(), user_id: z.string() }),
  run: ({ user_id }, { principal }: { readonly principal: Principal }) => ({ name: principal.name, user_id }),
});
const change = defineOperation({
  name: 'change',
  title: 'Change',
  description: 'Changes.',
  effect: 'adds',
  scope: 'user',
  input: z.object({ user_id: z.string() }),
  output: z.object({ done: z.boolean() }),
  run: () => ({ done: true }),
});

/** How a site is set up. */
export interface SiteOptions {
  readonly clock?: () => Date;
  readonly fetch?: (address: string | URL, options?: RequestInit) => Promise<Response>;
}

/** A server with its own authorization server, behind a reverse proxy. */
export interface AuthorizationSite {
  /** Where people and programs reach it. */
  readonly url: string;
  readonly keysFile: string;
  readonly folder: string;
  readonly addKey: (name: string, rights?: Partial<Parameters<typeof addKey>[0]>) => Promise<string>;
  /** Opens one more server on the same folder, to which the proxy sends from now on. */
  readonly openAnother: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens one. */
export async function openAuthorizationSite({
  clock = () => new Date(),
  fetch,
}: SiteOptions = {}): Promise<AuthorizationSite> {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-authorization-'));
  const keysFile = join(folder, 'keys.json');
  const doors: Listening[] = [];
  let senders = 0;
  const proxy = createServer((asked, answered) => {
    const to = new URL(doors.at(-1)?.url ?? '');
    // Each request is another sender's, so that no limit is met by chance.
    senders += 1;
    const address = asked.headers['x-test-address'] ?? `203.0.${Math.floor(senders / 250)}.${senders % 250}`;
    const headers = { ...asked.headers, 'x-forwarded-for': address };
    const sent = forward({ host: to.hostname, port: to.port, path: asked.url, method: asked.method, headers });
    sent.on('response', (got) => {
      answered.writeHead(got.statusCode ?? 502, got.rawHeaders);
      got.pipe(answered);
    });
    sent.on('error', () => answered.destroy());
    asked.pipe(sent);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = `http://localhost:${(proxy.address() as AddressInfo).port}`;
  const openAnother = async (): Promise<void> => {
    const env = { CONTEXTLOOM_KEYS_FILE: keysFile, AUTH_ISSUER: 'self', PUBLIC_URL: url };
    const config = readSettings(accessSettings, env).values;
    const shared = { config, server: 'notes', clock, log: silentLog };
    const authorization = await openAuthorization({ ...shared, ...(fetch !== undefined && { fetch }) });
    const access = openAccess({ ...shared, authorization });
    const definition = { name: 'notes', version: '0', operations: [whoami, change], deps: {}, log: silentLog };
    const toEndpoint = () => createMcpEndpoint(createMcpServer(definition), { log: silentLog, audit: access.audit });
    const api = createApi({ title: 'n', description: 'n', version: '0', routes: [], deps: {}, log: silentLog });
    const at = { connector: toEndpoint(), chat: toEndpoint() };
    const where = { host: '127.0.0.1', port: 0, allowedHosts: ['localhost'] };
    doors.push(await listenHttp(api, { mcp: toEndpoint(), at, ...where, access, log: silentLog }));
  };
  await openAnother();
  return {
    url,
    keysFile,
    folder,
    openAnother,
    addKey: async (name, rights = {}) => {
      const { key } = await addKey(
        { name, users: [name], scopes: ['read', 'write'], ...rights },
        { file: keysFile, clock },
      );
      return key;
    },
    close: async () => {
      for (const endpoint of doors) await endpoint.close();
      proxy.closeAllConnections();
      proxy.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** A verifier of PKCE with its challenge. */
export function createPkce() {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

/** What a browser got. */
export interface Page {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Where it ended up, which may be an address of a program. */
  readonly url: URL;
}

/** A browser as far as it matters here: cookies with their paths, redirects within the site, forms that say where they come from. */
export function createBrowser(site: Pick<AuthorizationSite, 'url'>) {
  const jar: { name: string; value: string; path: string }[] = [];
  async function go(address: string | URL, init: RequestInit = {}): Promise<Page> {
    const url = new URL(address, site.url);
    const cookie = jar.filter(({ path }) => url.pathname.startsWith(path)).map(({ name, value }) => `${name}=${value}`);
    const headers = { accept: 'text/html', ...(cookie.length > 0 && { cookie: cookie.join('; ') }), ...init.headers };
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(/;\s*/);
      const [name = '', value = ''] = pair.split('=');
      const path = attributes.find((one) => /^path=/i.test(one))?.slice(5) ?? '/';
      jar.splice(0, jar.length, ...jar.filter((one) => one.name !== name || one.path !== path));
      if (value !== '') jar.push({ name, value, path });
    }
    const text = await response.text();
    const location = response.headers.get('location');
    const next = location === null ? undefined : new URL(location, url);
    if (next?.origin === url.origin && !next.pathname.startsWith('/callback'))
      return go(next, { headers: init.headers ?? {} });
    return { status: response.status, headers: response.headers, text, url: next ?? url };
  }
  return {
    go,
    submit: (page: Page, fields: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>> = {}) =>
      go(page.url, {
        method: 'POST',
        body: new URLSearchParams(fields).toString(),
        headers: { origin: site.url, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      }),
    cookies: jar,
  };
}

/** Where programs of these tests have a person sent back to. */
export const CALLBACK = 'https://app.example/callback';

/** Registers a program; answers what the server says. */
export async function register(site: Pick<AuthorizationSite, 'url'>, metadata: object = {}, headers: object = {}) {
  const body = {
    client_name: 'Test App',
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    ...metadata,
  };
  return post(site, '/oauth/register', JSON.stringify(body), { 'content-type': 'application/json', ...headers });
}

/** Sends a body; answers status and JSON. */
export async function post(site: Pick<AuthorizationSite, 'url'>, path: string, body: string, headers: object = {}) {
  const response = await fetch(`${site.url}${path}`, { method: 'POST', body, headers: { ...headers } });
  const text = await response.text();
  const json = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { status: response.status, json, text, headers: response.headers };
}

/** Asks the token endpoint. */
export function askToken(
  site: Pick<AuthorizationSite, 'url'>,
  fields: Readonly<Record<string, string>>,
  headers: object = {},
) {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  return post(site, '/oauth/token', new URLSearchParams(fields).toString(), { ...form, ...headers });
}

/** Calls a tool with a token, without a session; answers the status and what the tool said. */
export async function callWith(site: Pick<AuthorizationSite, 'url'>, token: string, tool = 'whoami', path = '/mcp') {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '0' } };
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const send = (body: object, more: object = {}) =>
    fetch(`${site.url}${path}`, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    });
  const begun = await send({ id: 1, method: 'initialize', params });
  await begun.text();
  const session = begun.headers.get('mcp-session-id');
  if (session === null) return { status: begun.status, challenge: begun.headers.get('www-authenticate'), text: '' };
  const called = await send(
    { id: 2, method: 'tools/call', params: { name: tool, arguments: {} } },
    { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' },
  );
  return { status: called.status, challenge: null, text: await called.text() };
}

/** The address that sends a person to the server for a program. */
export function toAuthorizeUrl(fields: Readonly<Record<string, string | undefined>>): string {
  const given = { response_type: 'code', redirect_uri: CALLBACK, state: 'xyz', scope: 'read write', ...fields };
  const present = Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined);
  return `/oauth/authorize?${new URLSearchParams(present)}`;
}

/** Lets a new program in with a key, and answers its tokens and what it used for them. */
export async function connect(
  site: AuthorizationSite,
  key: string,
  { scope = 'read write', resource, user = '' }: { scope?: string; resource?: string; user?: string } = {},
) {
  const clientId = String((await register(site)).json['client_id']);
  const { verifier, challenge } = createPkce();
  const browser = createBrowser(site);
  const about = { client_id: clientId, code_challenge: challenge, code_challenge_method: 'S256', scope, resource };
  const page = await browser.go(toAuthorizeUrl(about));
  const { url } = await browser.submit(page, { key, user, decision: 'allow' });
  const code = url.searchParams.get('code') ?? '';
  const exchange = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    client_id: clientId,
    code_verifier: verifier,
  };
  const { json } = await askToken(site, exchange);
  return {
    clientId,
    exchange,
    accessToken: String(json['access_token']),
    refreshToken: String(json['refresh_token']),
    scope: json['scope'],
    back: url,
  };
}
