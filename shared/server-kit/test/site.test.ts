import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { silentLog } from '@contextloom/runtime';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createApi } from '../src/http/api.ts';
import { type Listening, listen } from '../src/http/listen.ts';
import { openSite } from '../src/http/site.ts';

const api = createApi({
  title: 'page',
  description: 'a page',
  version: '1',
  routes: [],
  deps: undefined,
  log: silentLog,
});
const identify = async (authorization: string | undefined) => {
  if (authorization !== 'Bearer right') throw new ContextloomError('unauthorized', 'a key is needed');
  return { name: 'ann-app', users: ['ann'], projects: 'all', scopes: ['read'] } as const;
};

let folder: string;
let endpoint: Listening;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-site-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<meta content="{{nonce}}"><script src="/assets/main-1.js"></script>');
  await writeFile(join(folder, 'assets/main-1.js'), 'export const one = 1;');
  await writeFile(join(folder, 'assets/.secret'), 'not served');
  const app = await api.toApp({ site: await openSite(folder), guard: { identify, isAuthRequired: () => true } });
  endpoint = await listen(app, { host: '127.0.0.1', port: 0, graceMs: 100 });
});
afterAll(async () => {
  await endpoint.close();
  await rm(folder, { recursive: true });
});

describe('a page', () => {
  it('is served to everybody, lets nothing inline or foreign run, and stands in no frame', async () => {
    const response = await fetch(`${endpoint.url}/`);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(response.status).toBe(200);
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('x-frame-options')).toBe('DENY');
  });

  it('has another nonce each time, the same in its text and its policy', async () => {
    const read = async () => {
      const response = await fetch(`${endpoint.url}/`);
      const nonce = /content="([^"]+)"/.exec(await response.text())?.[1] ?? '';
      expect(response.headers.get('content-security-policy')).toContain(`'nonce-${nonce}'`);
      return nonce;
    };
    const nonces = [await read(), await read()];
    expect(new Set(nonces).size).toBe(2);
    expect(nonces[0]).toHaveLength(24);
  });

  it('loads its files compressed, to be kept for good', async () => {
    const response = await fetch(`${endpoint.url}/assets/main-1.js`, { headers: { 'accept-encoding': 'gzip' } });
    expect(await response.text()).toBe('export const one = 1;');
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-encoding': 'gzip',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
    });
    const plain = await fetch(`${endpoint.url}/assets/main-1.js`, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.text()).toBe('export const one = 1;');
  });

  it.each(['/assets/.secret', '/assets/none.js', '/assets/..%2findex.html', '/index.html'])(
    'has nothing at %s',
    async (path) => {
      const response = await fetch(`${endpoint.url}${path}`, { headers: { authorization: 'Bearer right' } });
      expect(response.status).toBe(404);
    },
  );

  it.each([{ origin: 'https://evil.example' }, { origin: 'null' }])(
    'is not for a foreign page: %j',
    async (headers) => {
      for (const path of ['/', '/assets/main-1.js', '/session']) {
        const response = await fetch(`${endpoint.url}${path}`, { headers });
        expect(response.status).toBe(403);
      }
    },
  );

  it('tells a caller with a key who it is, and nobody else', async () => {
    const refused = await fetch(`${endpoint.url}/session`);
    expect(refused.status).toBe(401);
    const response = await fetch(`${endpoint.url}/session`, { headers: { authorization: 'Bearer right' } });
    expect(await response.json()).toEqual({
      name: 'ann-app',
      users: ['ann'],
      projects: 'all',
      scopes: ['read'],
      asked: true,
    });
  });

  it('gives way to the reference where it is not built', async () => {
    const site = await openSite(join(folder, 'none'));
    expect(site).toBeUndefined();
    const plain = await listen(await api.toApp({ site }), { host: '127.0.0.1', port: 0, graceMs: 100 });
    try {
      const response = await fetch(`${plain.url}/`, { redirect: 'manual' });
      expect([response.status, response.headers.get('location')]).toEqual([302, '/docs']);
    } finally {
      await plain.close();
    }
  });
});
