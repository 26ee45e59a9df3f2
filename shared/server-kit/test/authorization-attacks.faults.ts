import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addKey, revokeKey } from '@contextloom/access';
import { openConnectionStore } from '@contextloom/access/authorization';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AuthorizationSite,
  askToken,
  CALLBACK,
  callWith,
  connect,
  createBrowser,
  createPkce,
  openAuthorizationSite,
  post,
  register,
  toAuthorizeUrl,
} from './support/authorization-site.ts';

let site: AuthorizationSite;
let key: string;
let clientId: string;
beforeAll(async () => {
  site = await openAuthorizationSite();
  key = await site.addKey('ann');
  clientId = String((await register(site)).json['client_id']);
}, 60_000);
afterAll(() => site.close());

const clock = (): Date => new Date();
const { challenge } = createPkce();
const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
const open = (fields: Readonly<Record<string, string | undefined>>, browser = createBrowser(site)) =>
  browser.go(toAuthorizeUrl({ client_id: clientId, ...pkce, ...fields }));

describe('where a person is sent back to', () => {
  it.each([
    ['another host', 'https://evil.example/callback'],
    ['a host that begins alike', 'https://app.example.evil.example/callback'],
    ['a host below it', 'https://x.app.example/callback'],
    ['another path', 'https://app.example/callback2'],
    ['a path below it', 'https://app.example/callback/evil'],
    ['a path that leads out', 'https://app.example/callback/../evil'],
    ['an encoded path', 'https://app.example/callback%2f..%2fevil'],
    ['a slash more', 'https://app.example/callback/'],
    ['a query', 'https://app.example/callback?next=https://evil.example'],
    ['a fragment', 'https://app.example/callback#x'],
    ['the host as a user name', 'https://app.example@evil.example/callback'],
    ['a user name', 'https://u@app.example/callback'],
    ['a backslash', 'https://evil.example\\@app.example/callback'],
    ['another scheme', 'http://app.example/callback'],
    ['a script', 'javascript:alert(1)//app.example/callback'],
    ['another port', 'https://app.example:444/callback'],
    ['capitals', 'HTTPS://APP.EXAMPLE/callback'],
    ['a line end', 'https://app.example/callback\r\nLocation: https://evil.example'],
    ['nothing', ''],
    ['no address at all', undefined],
  ])('is no other address: %s', async (_name, redirect_uri) => {
    const page = await open({ redirect_uri });
    expect(page.status).toBe(400);
    expect(page.url.origin).toBe(site.url);
    expect(page.text).not.toContain('type="password"');
  });

  it('is not one of two', async () => {
    const page = await createBrowser(site).go(
      `${toAuthorizeUrl({ client_id: clientId, ...pkce })}&redirect_uri=https%3A%2F%2Fevil.example`,
    );
    expect([page.status, page.url.origin]).toEqual([400, site.url]);
  });

  it.each([
    ['http://localhost:1234/callback', 200],
    ['http://localhost:50123/callback', 200],
    ['http://localhost/callback', 200],
    ['http://127.0.0.1:1234/callback', 400],
    ['http://localhost.evil.example:1234/callback', 400],
    ['http://localhost:1234/other', 400],
    ['https://localhost:1234/callback', 400],
    ['http://localhost:1234@evil.example/callback', 400],
  ])('may be any port of the own machine where a program said so: %s is %i', async (redirect_uri, status) => {
    const { json } = await register(site, { redirect_uris: ['http://localhost:1234/callback'] });
    expect((await open({ client_id: String(json['client_id']), redirect_uri })).status).toBe(status);
  });
});

describe('registering', () => {
  it.each([
    ['an address in clear', { redirect_uris: ['http://app.example/callback'] }],
    ['a fragment', { redirect_uris: ['https://app.example/#x'] }],
    ['a user name', { redirect_uris: ['https://u:p@app.example/'] }],
    ['a script', { redirect_uris: ['javascript:alert(1)'] }],
    ['data', { redirect_uris: ['data:text/html,x'] }],
    ['a file', { redirect_uris: ['file:///etc/passwd'] }],
    ['no address', { redirect_uris: [] }],
    ['no list', { redirect_uris: 'https://app.example/' }],
    ['eleven addresses', { redirect_uris: Array.from({ length: 11 }, (_, at) => `https://app.example/${at}`) }],
    ['a long address', { redirect_uris: [`https://app.example/${'x'.repeat(2_000)}`] }],
    ['tokens in the address', { response_types: ['token'], grant_types: ['implicit'] }],
    ['passwords', { grant_types: ['password'] }],
    ['tokens for itself', { grant_types: ['client_credentials'] }],
    ['a very long name', { client_name: 'x'.repeat(30_000) }],
    ['more than a body may hold', { client_name: 'x'.repeat(100_000) }],
  ])('is refused with %s', async (_name, metadata) => {
    const refused = await register(site, metadata);
    expect([refused.status, refused.json['client_id']]).toEqual([400, undefined]);
  });

  it('gets no scope that needs an administrator', async () => {
    expect((await register(site, { scope: 'read admin openid' })).json['scope']).toBe('read');
  });

  it('is slowed down for one address, and for no other', async () => {
    const statuses: number[] = [];
    for (let at = 0; at < 22; at += 1) {
      statuses.push((await register(site, {}, { 'x-test-address': '198.51.100.1' })).status);
    }
    expect(statuses.slice(0, 20)).toEqual(Array.from({ length: 20 }, () => 201));
    expect(statuses.slice(20)).toEqual([429, 429]);
    expect((await register(site, {}, { 'x-test-address': '198.51.100.2' })).status).toBe(201);
  });

  it('fills no disk: programs that nobody let in make way, the others stay', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'contextloom-flood-'));
    const store = await openConnectionStore({ keysFile: join(folder, 'keys.json'), clock });
    const clients = store.toAdapter('Client');
    await clients.upsert('kept', { client_id: 'kept' });
    await store.toAdapter('Grant').upsert('grant', { jti: 'grant' });
    const about = { client_name: 'Kept', redirect_host: 'app.example', user_id: 'ann', key_name: 'ann' };
    const rights = { key_hash: 'f'.repeat(64), scopes: ['read'] as const, created_at: clock().toISOString() };
    await store.add({ id: 'grant', client_id: 'kept', ...about, ...rights });
    for (let at = 0; at < 1_030; at += 1) await clients.upsert(`flood-${at}`, { client_id: `flood-${at}` });
    const left = await Promise.all(Array.from({ length: 1_030 }, (_, at) => clients.find(`flood-${at}`)));
    const [first, last] = [left.findIndex((client) => client !== undefined), left.at(-1)];
    expect(first).toBeGreaterThanOrEqual(30);
    expect([last?.['client_id'], (await clients.find('kept'))?.['client_id']]).toEqual(['flood-1029', 'kept']);
    await store.close();
    await rm(folder, { recursive: true });
  }, 120_000);
});

describe('a request', () => {
  it.each([
    ['without a challenge', { code_challenge: undefined, code_challenge_method: undefined }, 'invalid_request'],
    ['with a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['with a challenge of no method', { code_challenge_method: undefined }, 'invalid_request'],
    ['with a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
    ['for a token in the address', { response_type: 'token' }, 'unsupported_response_type'],
    ['for an identity', { response_type: 'code id_token' }, 'unsupported_response_type'],
    ['that no page may answer', { prompt: 'none' }, 'login_required'],
    ['in a signed object', { request: 'e30.e30.' }, 'request_not_supported'],
    ['at an address', { request_uri: 'https://evil.example/request' }, 'request_uri_not_supported'],
    ['for another server', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['for another server that begins alike', { resource: 'http://localhost.evil.example/mcp' }, 'invalid_target'],
    ['for a path that is no resource', { resource: '/etc/passwd' }, 'invalid_target'],
  ])('is refused %s, and says by whom', async (_name, fields, error) => {
    const { url } = await open(fields);
    expect(url.origin + url.pathname).toBe(CALLBACK);
    const said = Object.fromEntries(new URLSearchParams(url.search || url.hash.slice(1)));
    expect(said).toMatchObject({ error, iss: site.url, state: 'xyz' });
    expect(said).not.toHaveProperty('code');
  });

  it.each([
    ['of an unknown program', { client_id: 'nobody' }],
    ['of a program with a script for a name', { client_id: '<script>alert(1)</script>' }],
  ])('leads nowhere %s', async (_name, fields) => {
    const page = await open(fields);
    expect([page.status, page.url.origin]).toEqual([400, site.url]);
    expect(page.text).not.toContain('<script');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it('reaches no other name of the server than its own', async () => {
    const { json } = await post(site, '/oauth/register', '{}', { 'x-forwarded-host': 'evil.example' });
    expect(JSON.stringify(json)).not.toContain('evil.example');
    const metadata = await fetch(`${site.url}/.well-known/oauth-authorization-server`, {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' },
    });
    expect(await metadata.text()).not.toContain('evil.example');
  });
});

/** Lets the program in up to the code. */
async function toCode(fields: Readonly<Record<string, string>> = {}) {
  const { verifier, challenge: code_challenge } = createPkce();
  const browser = createBrowser(site);
  const page = await open({ code_challenge, ...fields }, browser);
  const { url } = await browser.submit(page, { key, decision: 'allow' });
  const code = url.searchParams.get('code') ?? '';
  expect(code).not.toBe('');
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CALLBACK,
    client_id: clientId,
    code_verifier: verifier,
    challenge: code_challenge,
  };
}

type Exchange = Readonly<Record<string, string>>;

describe('a code', () => {
  it.each<[string, (exchange: Exchange) => Exchange | Promise<Exchange>]>([
    ['without a verifier', ({ code_verifier: _no, ...rest }) => rest],
    ['with another verifier', (rest) => ({ ...rest, code_verifier: createPkce().verifier })],
    ['with the challenge as verifier', (rest) => ({ ...rest, code_verifier: rest['challenge'] ?? '' })],
    ['with an empty verifier', (rest) => ({ ...rest, code_verifier: '' })],
    ['with another address', (rest) => ({ ...rest, redirect_uri: 'https://evil.example/callback' })],
    ['without its address', ({ redirect_uri: _no, ...rest }) => rest],
    [
      'from another program',
      async (rest) => ({ ...rest, client_id: String((await register(site)).json['client_id']) }),
    ],
    ['from nobody', ({ client_id: _no, ...rest }) => rest],
    ['for another server', (rest) => ({ ...rest, resource: 'https://other.example/mcp' })],
    ['for another resource of this server', (rest) => ({ ...rest, resource: `${site.url}/mcp/all` })],
    ['changed by a character', (rest) => ({ ...rest, code: `${rest['code']}x` })],
    ['as a refresh token', (rest) => ({ ...rest, grant_type: 'refresh_token', refresh_token: rest['code'] ?? '' })],
    ['as a password', (rest) => ({ ...rest, grant_type: 'password', username: 'ann', password: key })],
    ['as its own credentials', (rest) => ({ ...rest, grant_type: 'client_credentials' })],
  ])('is good for nothing %s', async (_name, change) => {
    const { status, json } = await askToken(site, await change(await toCode()));
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(json['access_token']).toBeUndefined();
  });

  it('is good once: shown again, it ends what it gave', async () => {
    const exchange = await toCode();
    const { json } = await askToken(site, exchange);
    const token = String(json['access_token']);
    expect((await callWith(site, token)).status).toBe(200);
    expect((await askToken(site, exchange)).json).toMatchObject({ error: 'invalid_grant' });
    expect((await callWith(site, token)).status).toBe(401);
    const renewed = { grant_type: 'refresh_token', refresh_token: String(json['refresh_token']), client_id: clientId };
    expect((await askToken(site, renewed)).json).toMatchObject({ error: 'invalid_grant' });
  });

  it('gives tokens once, however many show it at once', async () => {
    const exchange = await toCode();
    const answers = await Promise.all(Array.from({ length: 6 }, () => askToken(site, exchange)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it('is over with its key', async () => {
    const other = await site.addKey('bob');
    const { verifier, challenge: code_challenge } = createPkce();
    const browser = createBrowser(site);
    const { url } = await browser.submit(await open({ code_challenge }, browser), { key: other, decision: 'allow' });
    await revokeKey('bob', { file: site.keysFile, clock });
    const code = url.searchParams.get('code') ?? '';
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, client_id: clientId };
    expect((await askToken(site, { ...exchange, code_verifier: verifier })).json).toMatchObject({
      error: 'invalid_grant',
    });
  });
});

describe('a refresh token', () => {
  const renew = (refresh_token: string, client_id: string, more: object = {}) =>
    askToken(site, { grant_type: 'refresh_token', refresh_token, client_id, ...more });

  it('that was used before ends the whole connection, whoever shows it', async () => {
    const stolen = await connect(site, key);
    const first = await renew(stolen.refreshToken, stolen.clientId);
    const second = await renew(String(first.json['refresh_token']), stolen.clientId);
    expect(second.status).toBe(200);
    expect((await renew(stolen.refreshToken, stolen.clientId)).json).toMatchObject({ error: 'invalid_grant' });
    expect((await renew(String(second.json['refresh_token']), stolen.clientId)).status).toBe(400);
    for (const { json } of [first, second])
      expect((await callWith(site, String(json['access_token']))).status).toBe(401);
  });

  it('is good for one of several that show it at once, at two servers', async () => {
    const { refreshToken, clientId: client } = await connect(site, key);
    await site.openAnother();
    const answers = await Promise.all(Array.from({ length: 6 }, () => renew(refreshToken, client)));
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it('is of one program, and widens nothing', async () => {
    const { refreshToken, clientId: client } = await connect(site, key, { scope: 'read' });
    expect((await renew(refreshToken, clientId)).json).toMatchObject({ error: 'invalid_grant' });
    expect((await renew(refreshToken, client, { scope: 'read write' })).json).toMatchObject({ error: 'invalid_scope' });
    expect((await renew(refreshToken, client, { scope: 'admin' })).status).toBe(400);
    const renewed = await renew(refreshToken, client);
    expect(renewed.json).toMatchObject({ scope: 'read' });
    const elsewhere = await renew(String(renewed.json['refresh_token']), client, { resource: `${site.url}/mcp/all` });
    expect(elsewhere.json).toMatchObject({ error: 'invalid_target' });
  });

  it('is taken back by its own program alone', async () => {
    const { refreshToken, accessToken, clientId: client } = await connect(site, key);
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const revoke = (client_id: string) =>
      post(site, '/oauth/revoke', new URLSearchParams({ token: refreshToken, client_id }).toString(), form);
    await revoke(clientId);
    expect((await callWith(site, accessToken)).status).toBe(200);
    expect((await revoke(client)).status).toBe(200);
    expect((await callWith(site, accessToken)).status).toBe(401);
  });
});

describe('a token', () => {
  it('is nothing but an access token', async () => {
    const { refreshToken, exchange } = await connect(site, key);
    for (const wrong of [refreshToken, exchange.code, clientId, '', 'null']) {
      expect((await callWith(site, wrong)).status).toBe(401);
    }
  });

  it.each([
    ['/mcp/connector', '/mcp', 401],
    ['/mcp/connector', '/mcp/chat', 401],
    ['/mcp/chat', '/mcp/connector', 401],
    ['/mcp/connector', '/mcp/connector', 200],
    ['/mcp', '/mcp/chat', 200],
    ['', '/mcp', 200],
  ])('for %s is at %s worth %i', async (resource, path, status) => {
    const { accessToken } = await connect(site, key, { resource: `${site.url}${resource}` });
    expect((await callWith(site, accessToken, 'whoami', path)).status).toBe(status);
  });

  it('for the MCP address opens no other page of the server', async () => {
    const { accessToken } = await connect(site, key);
    const at = (path: string) => fetch(`${site.url}${path}`, { headers: { authorization: `Bearer ${accessToken}` } });
    for (const path of ['/session', '/metrics', '/mcp/../session', '/mcpx']) expect((await at(path)).status).toBe(401);
  });

  it('reads alone where the resource or the key does', async () => {
    const readKey = await site.addKey('reader', { scopes: ['read'] });
    expect((await connect(site, readKey)).scope).toBe('read');
    expect((await connect(site, key, { resource: `${site.url}/mcp/connector` })).scope).toBe('read');
    const adminKey = await site.addKey('boss', { scopes: ['admin'] });
    expect((await connect(site, adminKey, { scope: 'read write admin' })).scope).toBe('read write');
  });

  it('of one person reaches no other', async () => {
    const everyone = await addKey({ name: 'everyone', scopes: ['read', 'write'] }, { file: site.keysFile, clock });
    const { accessToken } = await connect(site, everyone.key, { user: 'carol' });
    expect((await callWith(site, accessToken)).text).toContain('\\"user_id\\": \\"carol\\"');
  });
});

describe('a program with a secret', () => {
  it('is nobody without it', async () => {
    const { json } = await register(site, { token_endpoint_auth_method: 'client_secret_post' });
    const [client_id, secret] = [String(json['client_id']), String(json['client_secret'])];
    const { verifier, challenge: code_challenge } = createPkce();
    const browser = createBrowser(site);
    const page = await open({ client_id, code_challenge }, browser);
    const { url } = await browser.submit(page, { key, decision: 'allow' });
    const code = url.searchParams.get('code') ?? '';
    const exchange = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      client_id,
      code_verifier: verifier,
    };
    const store = await openConnectionStore({ keysFile: site.keysFile, clock });
    const hash = String((await store.toAdapter('Client').find(client_id))?.['client_secret']);
    await store.close();
    for (const wrong of [{}, { client_secret: 'wrong' }, { client_secret: '' }, { client_secret: hash }]) {
      expect((await askToken(site, { ...exchange, ...wrong })).json).toMatchObject({ error: 'invalid_client' });
    }
    const basic = { authorization: `Basic ${Buffer.from(`${client_id}:${hash}`).toString('base64')}` };
    expect((await askToken(site, exchange, basic)).json).toMatchObject({ error: 'invalid_client' });
    expect((await askToken(site, { ...exchange, client_secret: secret })).status).toBe(200);
  });
});
