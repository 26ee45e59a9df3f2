import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type AuthorizationSite,
  CALLBACK,
  createBrowser,
  createPkce,
  openAuthorizationSite,
  register,
  toAuthorizeUrl,
} from './support/authorization-site.ts';

let site: AuthorizationSite;
let key: string;
let clientId: string;
/** What programs publish about themselves, by address. */
const published = new Map<string, () => Response>();
beforeAll(async () => {
  const fetch = async (address: string | URL): Promise<Response> =>
    published.get(String(address))?.() ?? new Response(null, { status: 404 });
  site = await openAuthorizationSite({ fetch });
  key = await site.addKey('ann');
  clientId = String((await register(site)).json['client_id']);
}, 60_000);
afterAll(() => site.close());

const { challenge } = createPkce();
const pkce = { code_challenge: challenge, code_challenge_method: 'S256' };
const open = (fields: Readonly<Record<string, string | undefined>>, browser = createBrowser(site)) =>
  browser.go(toAuthorizeUrl({ client_id: clientId, ...pkce, ...fields }));

describe('the page where a person lets a program in', () => {
  it('is in no frame, loads nothing, and keeps nothing', async () => {
    const { headers } = await open({});
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
    const policy = headers.get('content-security-policy') ?? '';
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "form-action 'self' https://app.example"]) {
      expect(policy).toContain(part);
    }
    expect(policy).not.toContain('unsafe-inline');
  });

  it.each([
    ['sent from another page', { origin: 'https://evil.example' }],
    ['sent from nowhere', { origin: 'null' }],
    ['sent from another port', { origin: 'http://localhost:1' }],
  ])('takes no form %s', async (_name, headers) => {
    const browser = createBrowser(site);
    const page = await browser.submit(await open({}, browser), { key, decision: 'allow' }, headers);
    expect([page.status, page.url.origin]).toEqual([403, site.url]);
  });

  it('takes no form from another browser', async () => {
    const page = await open({});
    const other = createBrowser(site);
    await open({}, other);
    const answered = await other.submit(page, { key, decision: 'allow' });
    expect([answered.status, answered.url.origin]).toEqual([400, site.url]);
  });

  it('decides once, and each time anew', async () => {
    const browser = createBrowser(site);
    const page = await open({}, browser);
    const first = await browser.submit(page, { key, decision: 'allow' });
    expect(first.url.searchParams.has('code')).toBe(true);
    expect((await browser.submit(page, { key, decision: 'allow' })).url.searchParams.has('code')).toBe(false);
    const again = await open({}, browser);
    expect(again.text).toContain('type="password"');
    const other = await site.addKey('dora');
    expect((await browser.submit(again, { key: other, decision: 'allow' })).url.searchParams.has('code')).toBe(true);
  });

  it('shows a name as text, whatever it is', async () => {
    const client_name = '<img src=x onerror=alert(1)>\u202egnp.exe\u0007\n'.repeat(3);
    const { json } = await register(site, { client_name });
    const { text } = await open({ client_id: String(json['client_id']) });
    for (const unsafe of ['<img', '\u202e', '\u0007']) expect(text).not.toContain(unsafe);
    expect(text).toContain('&lt;img src=x');
  });

  it.each<[string, () => Promise<{ readonly key: string; readonly user?: string }>, number]>([
    ['a wrong key', async () => ({ key: 'clk_wrong' }), 400],
    ['no key', async () => ({ key: '' }), 400],
    ['a key for somebody else', async () => ({ key, user: 'bob' }), 400],
    [
      'a key for everybody, and nobody named',
      async () => ({ key: await site.addKey('all', { users: undefined }) }),
      400,
    ],
    [
      'a key for projects',
      async () => ({ key: await site.addKey('p', { users: undefined, projects: ['shop'] }), user: 'ann' }),
      400,
    ],
    [
      'a key that is over',
      async () => ({ key: await site.addKey('old', { expires_at: '2020-01-01T00:00:00Z' }) }),
      400,
    ],
    ['a key for other servers', async () => ({ key: await site.addKey('far', { servers: ['elsewhere'] }) }), 400],
  ])('lets nobody in with %s', async (_name, toFields, status) => {
    const browser = createBrowser(site);
    const fields = await toFields();
    const page = await browser.submit(await open({}, browser), { ...fields, decision: 'allow' });
    expect([page.status, page.url.origin]).toEqual([status, site.url]);
    expect(page.text).toContain('role="alert"');
    expect(page.text).not.toContain('clk_');
  });

  it('slows down whoever tries keys', async () => {
    const browser = createBrowser(site);
    const page = await open({}, browser);
    const from = { 'x-test-address': '198.51.100.9' };
    const statuses: number[] = [];
    for (let at = 0; at < 32; at += 1) {
      statuses.push((await browser.submit(page, { key: `clk_${at}`, decision: 'allow' }, from)).status);
    }
    expect(statuses.slice(0, 30)).toEqual(Array.from({ length: 30 }, () => 400));
    expect(statuses.slice(30)).toEqual([429, 429]);
  });
});

describe('a program that publishes what it is', () => {
  const id = 'https://app.example/client.json';
  const document = {
    client_id: id,
    client_name: 'Published',
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: 'none',
  };
  const publish = (body: unknown, init: ResponseInit = {}) => {
    const at = `https://app.example/client-${published.size}.json`;
    const named =
      typeof body === 'object' ? JSON.stringify({ ...body, client_id: Object(body).client_id ?? at }) : String(body);
    published.set(at, () => new Response(named, { headers: { 'content-type': 'application/json' }, ...init }));
    return at;
  };

  it('needs no registration, and is named by its host', async () => {
    const client_id = publish({ ...document, client_id: undefined });
    const page = await open({ client_id });
    expect(page.status).toBe(200);
    expect(page.text).toContain('The program is the one that app.example publishes.');
  });

  it.each<[string, () => string]>([
    ['of another program', () => publish({ ...document, client_id: 'https://other.example/client.json' })],
    ['with a secret', () => publish({ ...document, client_id: undefined, client_secret: 'x' })],
    [
      'with a secret to come',
      () => publish({ ...document, client_id: undefined, token_endpoint_auth_method: 'client_secret_basic' }),
    ],
    [
      'that sends to another address',
      () => publish({ ...document, client_id: undefined, redirect_uris: ['https://evil.example/'] }),
    ],
    ['that is no JSON', () => publish('<html>')],
    ['that is a list', () => publish('[]')],
    [
      'that is too large',
      () => publish({ ...document, client_id: undefined, client_uri: `https://app.example/${'x'.repeat(9_000)}` }),
    ],
    ['that is elsewhere', () => publish('', { status: 302, headers: { location: 'https://127.0.0.1/' } })],
    ['that is not there', () => 'https://app.example/none.json'],
    ['in clear', () => 'http://app.example/client.json'],
    ['with a fragment', () => `${id}#x`],
    ['with a user name', () => 'https://u@app.example/client.json'],
    ['with a path that leads out', () => 'https://app.example/x/../client.json'],
  ])('is nobody with a document %s', async (_name, toId) => {
    const page = await open({ client_id: toId() });
    expect([page.status, page.url.origin]).toEqual([400, site.url]);
    expect(page.text).not.toContain('type="password"');
  });
});

describe('what a program publishes', () => {
  it('is never read from this machine or its network', async () => {
    const own = await openAuthorizationSite();
    let reached = 0;
    const listener = createServer((socket) => {
      reached += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const { port } = listener.address() as AddressInfo;
    const hosts = ['127.0.0.1', 'localhost', '[::1]', '2130706433', '0x7f.1', '127.1', '0.0.0.0', '[::ffff:127.0.0.1]'];
    const elsewhere = [
      '10.0.0.1',
      '169.254.169.254',
      '192.168.0.1',
      '172.16.0.1',
      '100.64.0.1',
      '[fd00::1]',
      '[fe80::1]',
    ];
    const more = ['[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[::]', '224.0.0.1', '255.255.255.255'];
    for (const host of [...hosts, ...elsewhere, ...more]) {
      const client_id = `https://${host}:${port}/client.json`;
      const page = await createBrowser(own).go(toAuthorizeUrl({ client_id, ...pkce }));
      expect([host, page.status, page.url.origin]).toEqual([host, 400, own.url]);
    }
    expect(reached).toBe(0);
    listener.close();
    await own.close();
  }, 60_000);
});
