import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accessSettings, revokeKey, rotateKey } from '@contextloom/access';
import { openAuthorization, openConnectionStore } from '@contextloom/access/authorization';
import { readSettings, silentLog } from '@contextloom/runtime';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type AuthorizationSite,
  askToken,
  callWith,
  connect,
  createBrowser,
  createPkce,
  openAuthorizationSite,
  register,
  toAuthorizeUrl,
} from './support/authorization-site.ts';

let site: AuthorizationSite;
beforeEach(async () => {
  site = await openAuthorizationSite();
});
afterEach(() => site.close());

const clock = (): Date => new Date();
const getJson = async (path: string): Promise<unknown> => (await fetch(`${site.url}${path}`)).json();

describe('what clients read before they connect', () => {
  it('names the authorization server of each MCP address', async () => {
    const refused = await fetch(`${site.url}/mcp/chat`, { method: 'POST', body: '{}' });
    expect(refused.status).toBe(401);
    const metadata = `${site.url}/.well-known/oauth-protected-resource/mcp/chat`;
    expect(refused.headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${metadata}"`);
    const about = { authorization_servers: [site.url], bearer_methods_supported: ['header'] };
    const all = ['read', 'write'];
    for (const [path, scopes_supported] of [
      ['', all],
      ['/mcp', all],
      ['/mcp/chat', all],
      ['/mcp/connector', ['read']],
    ]) {
      const found = await getJson(`/.well-known/oauth-protected-resource${path}`);
      expect(found).toMatchObject({ ...about, resource: `${site.url}${path}`, scopes_supported });
    }
    expect((await fetch(`${site.url}/.well-known/oauth-protected-resource/etc/passwd`)).status).not.toBe(200);
  });

  it('describes the authorization server, and nothing that it does not do', async () => {
    const metadata = await getJson('/.well-known/oauth-authorization-server');
    expect(metadata).toEqual({
      issuer: site.url,
      authorization_endpoint: `${site.url}/oauth/authorize`,
      token_endpoint: `${site.url}/oauth/token`,
      registration_endpoint: `${site.url}/oauth/register`,
      revocation_endpoint: `${site.url}/oauth/revoke`,
      scopes_supported: ['read', 'write'],
      response_types_supported: ['code'],
      response_modes_supported: ['form_post', 'fragment', 'query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
      revocation_endpoint_auth_methods_supported: [
        'none',
        'client_secret_basic',
        'client_secret_post',
        'private_key_jwt',
      ],
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
    expect(await getJson('/.well-known/openid-configuration')).toEqual(metadata);
  });
});

describe('a program that a person lets in', () => {
  it('reaches the memory of that person alone, with what was allowed', async () => {
    const key = await site.addKey('ann');
    const { clientId } = await connect(site, key);
    const { verifier, challenge } = createPkce();
    const browser = createBrowser(site);
    const about = { client_id: clientId, code_challenge: challenge, code_challenge_method: 'S256', scope: 'read' };
    const page = await browser.go(toAuthorizeUrl(about));
    expect(page.text).toContain('Test App asks for access');
    expect(page.text).toContain('<code>app.example</code>');
    expect(page.text).toContain('read what is remembered');
    expect(page.text).not.toContain('remember, correct and forget');
    const { url } = await browser.submit(page, { key, decision: 'allow' });
    expect(url.origin + url.pathname).toBe('https://app.example/callback');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      code: expect.stringMatching(/^.{40,}$/),
      state: 'xyz',
      iss: site.url,
    });
    const { status, json } = await askToken(site, {
      grant_type: 'authorization_code',
      code: url.searchParams.get('code') ?? '',
      redirect_uri: 'https://app.example/callback',
      client_id: clientId,
      code_verifier: verifier,
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'read' });
    const token = String(json['access_token']);
    expect((await callWith(site, token)).text).toContain('\\"user_id\\": \\"ann\\"');
    expect((await callWith(site, token)).text).toContain('key ann through Test App');
    expect((await callWith(site, token, 'change')).text).toContain('needs the scope write');
  });

  it('gets nothing where the person says no', async () => {
    const { json } = await register(site);
    const browser = createBrowser(site);
    const { challenge } = createPkce();
    const about = { client_id: String(json['client_id']), code_challenge: challenge, code_challenge_method: 'S256' };
    const { url } = await browser.submit(await browser.go(toAuthorizeUrl(about)), { decision: 'deny' });
    expect(url.searchParams.get('error')).toBe('access_denied');
  });

  it('renews its tokens, also at another process and after a restart', async () => {
    const key = await site.addKey('ann');
    const { clientId, refreshToken, accessToken } = await connect(site, key);
    await site.openAnother();
    expect((await callWith(site, accessToken)).status).toBe(200);
    const renewed = await askToken(site, {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: clientId,
    });
    expect(renewed).toMatchObject({ status: 200, json: { scope: 'read write', refresh_token: expect.any(String) } });
    expect(renewed.json['refresh_token']).not.toBe(refreshToken);
    expect((await callWith(site, String(renewed.json['access_token']))).status).toBe(200);
  });

  it.each([
    ['its key is revoked', () => revokeKey('ann', { file: site.keysFile, clock })],
    ['its key gets a new text', () => rotateKey('ann', { file: site.keysFile, clock })],
    [
      'the connection is revoked',
      async () => {
        const store = await openConnectionStore({ keysFile: site.keysFile, clock });
        const [connection] = await store.list();
        expect(connection).toMatchObject({ client_name: 'Test App', redirect_host: 'app.example', user_id: 'ann' });
        expect(await store.revoke(connection?.id ?? '')).toBe(true);
        expect(await store.list()).toEqual([]);
        await store.close();
      },
    ],
  ])('is out at once when %s', async (_name, end) => {
    const key = await site.addKey('ann');
    const { clientId, refreshToken, accessToken } = await connect(site, key);
    expect((await callWith(site, accessToken)).status).toBe(200);
    await end();
    expect((await callWith(site, accessToken)).status).toBe(401);
    const renewed = await askToken(site, {
      grant_type: 'refresh_token',
      refresh_token: refreshToken,
      client_id: clientId,
    });
    expect(renewed).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
  });

  it('leaves nothing in the files that would let anybody in', async () => {
    const key = await site.addKey('ann');
    const secret = await register(site, { token_endpoint_auth_method: 'client_secret_basic' });
    const { refreshToken, accessToken, exchange } = await connect(site, key);
    const files = await Promise.all(
      ['connections.db', 'connections.db-wal'].map((name) => readFile(join(site.folder, name), 'latin1')),
    );
    for (const word of [key, refreshToken, accessToken, exchange.code, String(secret.json['client_secret'])]) {
      expect(word.length).toBeGreaterThan(20);
      expect(files.join('')).not.toContain(word);
    }
  });
});

describe('the address under which people reach the server', () => {
  it.each([
    ['http://memory.example.org', 'must begin with https://'],
    ['http://192.168.0.5:8010', 'must begin with https://'],
    ['http://localhost.example.org', 'must begin with https://'],
    ['memory.example.org', 'must be an https address'],
    ['ftp://memory.example.org', 'must be an https address'],
    ['https://memory.example.org/memory', 'must be an origin'],
    ['https://memory.example.org/?x', 'must be an origin'],
    ['https://u:p@memory.example.org', 'must be an origin'],
  ])('is not %s', (PUBLIC_URL, message) => {
    expect(() => readSettings(accessSettings, { PUBLIC_URL })).toThrow(message);
  });

  it.each([
    ['https://memory.example.org/', 'https://memory.example.org'],
    ['https://memory.example.org:8443', 'https://memory.example.org:8443'],
    ['http://localhost:8010', 'http://localhost:8010'],
    ['http://127.0.0.1:8010', 'http://127.0.0.1:8010'],
  ])('may be %s', (PUBLIC_URL, url) => {
    expect(readSettings(accessSettings, { PUBLIC_URL }).values.publicUrl).toBe(url);
  });

  it('is needed', async () => {
    const config = readSettings(accessSettings, { AUTH_ISSUER: 'self' }).values;
    const opened = openAuthorization({ config, server: 'notes', clock, log: silentLog });
    await expect(opened).rejects.toMatchObject({ code: 'invalid', field: 'PUBLIC_URL' });
  });
});
