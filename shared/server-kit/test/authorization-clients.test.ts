import { afterEach, beforeEach, expect, it } from '@jest/globals';
import * as v2 from '@modelcontextprotocol/client';
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as V1Transport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type AuthorizationSite, createBrowser, openAuthorizationSite } from './support/authorization-site.ts';

let site: AuthorizationSite;
beforeEach(async () => {
  site = await openAuthorizationSite();
});
afterEach(() => site.close());

/** What both of the SDK's clients keep of a connection, and where they send the person. */
function createAccount() {
  const kept: { client?: unknown; tokens?: { access_token: string }; verifier?: string; url?: URL } = {};
  return {
    kept,
    provider: {
      redirectUrl: 'http://localhost:33418/callback',
      clientMetadata: {
        client_name: 'SDK client',
        redirect_uris: ['http://localhost:33418/callback'],
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
      },
      clientInformation: () => kept.client as { client_id: string } | undefined,
      saveClientInformation: (client: unknown) => {
        kept.client = client;
      },
      tokens: () => kept.tokens as { access_token: string; token_type: string } | undefined,
      saveTokens: (tokens: { access_token: string }) => {
        kept.tokens = tokens;
      },
      redirectToAuthorization: (url: URL) => {
        kept.url = url;
      },
      saveCodeVerifier: (verifier: string) => {
        kept.verifier = verifier;
      },
      codeVerifier: () => kept.verifier ?? '',
    },
  };
}

/** One of the SDK's clients, as far as both are the same. */
interface Connecting {
  readonly connect: () => Promise<void>;
  readonly finish: (back: URLSearchParams) => Promise<void>;
  readonly call: (name: string) => Promise<string>;
  readonly close: () => Promise<void>;
}

type Account = ReturnType<typeof createAccount>['provider'];

function toV1(url: URL, authProvider: Account): Connecting {
  const client = new V1Client({ name: 'test', version: '0' });
  const transport = new V1Transport(url, { authProvider });
  return {
    connect: () => client.connect(transport),
    finish: (back) => transport.finishAuth(back.get('code') ?? ''),
    call: async (name) => JSON.stringify((await client.callTool({ name, arguments: {} })).content),
    close: () => client.close(),
  };
}

function toV2(url: URL, authProvider: Account): Connecting {
  const client = new v2.Client({ name: 'test', version: '0' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const transport = new v2.StreamableHTTPClientTransport(url, { authProvider });
  return {
    connect: () => client.connect(transport),
    finish: (back) => transport.finishAuth(back),
    call: async (name) => JSON.stringify((await client.callTool({ name, arguments: {} })).content),
    close: () => client.close(),
  };
}

it.each([
  ['1.x', '/mcp', toV1],
  ['1.x', '/mcp/connector', toV1],
  ['2.x', '/mcp', toV2],
  ['2.x', '/mcp/connector', toV2],
])('the SDK %s connects to %s by itself, and renews what is over', async (_sdk, path, open) => {
  const key = await site.addKey('ann');
  const { kept, provider } = createAccount();
  const url = new URL(path, site.url);
  const first = open(url, provider);
  await expect(first.connect()).rejects.toThrow(/unauthorized/i);
  expect(kept.url?.searchParams.get('resource')).toBe(url.href);
  const browser = createBrowser(site);
  const page = await browser.go(kept.url ?? '');
  expect(page.text).toContain('SDK client asks for access');
  const { url: back } = await browser.submit(page, { key, decision: 'allow' });
  await first.finish(back.searchParams);
  await first.close();
  const second = open(url, provider);
  await second.connect();
  expect(await second.call('whoami')).toContain('key ann through SDK client');
  await second.close();
  kept.tokens = { ...kept.tokens, access_token: 'over' };
  const third = open(url, provider);
  await third.connect();
  expect(await third.call('whoami')).toContain('ann');
  expect(kept.tokens?.access_token).not.toBe('over');
  const wrote = await third.call('change');
  if (path === '/mcp/connector') expect(wrote).toContain('needs the scope write');
  else expect(wrote).toContain('done');
  await third.close();
});
