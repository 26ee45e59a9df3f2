import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  accessSettings,
  addKey,
  addressOf,
  createAdmit,
  createAuthorize,
  createCallMetrics,
  listKeys,
  openAccess,
  openInstallationSecret,
  type Principal,
  revokeKey,
  rotateKey,
} from '@contextloom/access';
import { readSettings, silentLog } from '@contextloom/runtime';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { z } from 'zod';
import { createApi } from '../src/http/api.ts';
import { createHttpApp } from '../src/http/app.ts';
import { listen } from '../src/http/listen.ts';
import { listenHttp } from '../src/http/listen-http.ts';
import { createMcpEndpoint } from '../src/http/mcp-endpoint.ts';
import { defineOperation } from '../src/operation/operation.ts';
import { toRoutes } from '../src/operation/to-route.ts';
import { createMcpServer } from '../src/server/server-factory.ts';

const whoami = defineOperation({
  name: 'whoami',
  title: 'Who am I',
  description: 'Tells who calls.',
  effect: 'reads',
  scope: 'user',
  subject: { isOptional: true },
  input: z.object({ user_id: z.string().optional() }),
  output: z.object({ name: z.string(), user_id: z.string().optional() }),
  route: { method: 'get', path: '/whoami', summary: 'Who calls.' },
  run: ({ user_id }, { principal }: { readonly principal: Principal }) => ({ name: principal.name, user_id }),
});
const change = defineOperation({
  name: 'change',
  title: 'Change',
  description: 'Changes.',
  effect: 'adds',
  scope: 'none',
  input: z.object({}),
  output: z.object({ done: z.boolean() }),
  route: { method: 'post', path: '/change', summary: 'Changes.' },
  run: () => ({ done: true }),
});
const operations = [whoami, change];

let folder: string;
let file: string;
const closing: (() => Promise<unknown>)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-access-'));
  file = join(folder, 'keys.json');
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await rm(folder, { recursive: true });
});

const toJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const clock = (): Date => new Date('2026-03-01T00:00:00Z');
const keyFile = () => ({ file, clock });

async function open(env: Readonly<Record<string, string>> = {}, openToAll?: string) {
  const metrics = await createCallMetrics();
  const server = 'notes';
  const { values } = readSettings(accessSettings, { CONTEXTLOOM_KEYS_FILE: file, ...env });
  const access = openAccess({ config: values, server, openToAll, metrics, clock, log: silentLog });
  const factory = createMcpServer({ name: server, version: '0', operations, deps: {}, log: silentLog });
  const mcp = createMcpEndpoint(factory, { log: silentLog, audit: access.audit });
  const routes = toRoutes(operations);
  const api = createApi({ title: 'n', description: 'n', version: '0', routes, deps: {}, log: silentLog });
  const endpoint = await listenHttp(api, { mcp, host: '127.0.0.1', port: 0, allowedHosts: [], access, log: silentLog });
  closing.push(() => endpoint.close());
  const ask = async (key?: string, path = '/whoami', init: RequestInit = {}) => {
    const headers = { ...(key !== undefined && { authorization: `Bearer ${key}` }), ...init.headers };
    const response = await fetch(`${endpoint.url}${path}`, { ...init, headers });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: toJson(text) };
  };
  return { url: endpoint.url, ask, access };
}

const toSessionHeaders = (key?: string) => ({
  ...(key !== undefined && { authorization: `Bearer ${key}` }),
  accept: 'application/json, text/event-stream',
  'content-type': 'application/json',
});

/** Begins a session of the 2025 era; the answer is its id. */
async function beginSession(url: string, key?: string): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '0' } };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const begun = await fetch(`${url}/mcp`, { method: 'POST', headers: toSessionHeaders(key), body });
  await begun.text();
  return begun.headers.get('mcp-session-id') ?? '';
}

describe('keys', () => {
  it('are asked for as soon as there is one, and not before', async () => {
    const { ask } = await open();
    expect(await ask()).toMatchObject({ status: 200, json: { name: 'local' } });
    const { key } = await addKey({ name: 'app', scopes: ['read', 'write'] }, keyFile());
    const refused = await ask();
    expect(refused).toMatchObject({ status: 401, json: { success: false, error: { code: 'unauthorized' } } });
    expect(refused.headers.get('www-authenticate')).toBe('Bearer');
    expect((await ask(undefined, '/mcp', { method: 'POST', body: '{}' })).status).toBe(401);
    expect(await ask(key)).toMatchObject({ status: 200, json: { name: 'key app' } });
    expect((await ask(undefined, '/health')).status).toBe(200);
  });

  it('are stored as hashes, for nobody else to read', async () => {
    const { key } = await addKey({ name: 'app', scopes: ['read'] }, keyFile());
    expect(await readFile(file, 'utf8')).not.toContain(key.slice(4));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['keys.json']);
  });

  it.each([
    ['wrong', () => 'clk_wrong'],
    ['empty', () => ''],
    ['changed by one character', (key: string) => `${key.slice(0, -1)}${key.endsWith('A') ? 'B' : 'A'}`],
    ['in other case', (key: string) => key.toUpperCase()],
    ['with more behind it', (key: string) => `${key} x`],
  ])('that are %s let nobody in', async (_name, change) => {
    const { key } = await addKey({ name: 'app', scopes: ['read'] }, keyFile());
    const { ask } = await open();
    expect((await ask(change(key))).status).toBe(401);
  });

  it('end when they are revoked, rotated or expired, the last one too', async () => {
    const { ask } = await open();
    const made = await addKey({ name: 'app', scopes: ['read'] }, keyFile());
    const { key: fresh } = await rotateKey('app', keyFile());
    expect([(await ask(made.key)).status, (await ask(fresh)).status]).toEqual([401, 200]);
    await revokeKey('app', keyFile());
    expect([(await ask(fresh)).status, (await ask()).status]).toEqual([401, 401]);
    const old = { name: 'old', scopes: ['read'] as const, expires_at: '2026-02-28T23:59:59Z' };
    expect((await ask((await addKey(old, keyFile())).key)).status).toBe(401);
    await rm(file);
    expect((await ask()).status).toBe(401);
  });

  it('reach their own users, servers and scopes', async () => {
    const ann = await addKey({ name: 'ann', users: ['ann'], scopes: ['read'] }, keyFile());
    const other = await addKey({ name: 'other', scopes: ['read'], servers: ['elsewhere'] }, keyFile());
    const admin = await addKey({ name: 'admin', scopes: ['admin'] }, keyFile());
    const { ask } = await open();
    expect(await ask(ann.key)).toMatchObject({ json: { user_id: 'ann' } });
    expect(await ask(ann.key, '/whoami?user_id=bob')).toMatchObject({
      status: 403,
      json: { error: { field: 'user_id' } },
    });
    expect((await ask(ann.key, '/change', { method: 'POST' })).status).toBe(403);
    expect((await ask(other.key)).status).toBe(401);
    expect((await ask(admin.key, '/change', { method: 'POST' })).status).toBe(200);
  });

  it('are changed by several processes at once, and none is lost', async () => {
    const names = Array.from({ length: 12 }, (_, at) => `key-${at}`);
    await Promise.all(names.map((name) => addKey({ name, scopes: ['read'] }, keyFile())));
    expect((await listKeys(keyFile())).map(({ name }) => name).sort()).toEqual([...names].sort());
    await expect(addKey({ name: 'key-3', scopes: ['read'] }, keyFile())).rejects.toMatchObject({ code: 'conflict' });
    await expect(revokeKey('nobody', keyFile())).rejects.toThrow('there is no key "nobody"; there are: key-');
  });

  it('let nobody in when their file cannot be read any more', async () => {
    const { key } = await addKey({ name: 'app', scopes: ['read'] }, keyFile());
    const { ask } = await open();
    await writeFile(file, '{"keys": 5}');
    const refused = await ask(key);
    expect(refused.status).toBe(503);
    expect(JSON.stringify(refused.json)).not.toContain(folder);
    await expect(open()).rejects.toThrow(file);
  });

  it('cut a stream within a second of being revoked', async () => {
    const { key } = await addKey({ name: 'app', scopes: ['read'] }, keyFile());
    const { url } = await open();
    const session = await beginSession(url, key);
    const stream = await fetch(`${url}/mcp`, { headers: { ...toSessionHeaders(key), 'mcp-session-id': session } });
    expect(stream.status).toBe(200);
    await revokeKey('app', keyFile());
    await expect(stream.text()).rejects.toThrow();
  });

  it.each([
    ['a server that keeps callers apart', undefined],
    ['a server that does not', 'NOTES must be kept apart'],
  ])('cut a stream without a key within a second of the first one, of %s', async (_name, openToAll) => {
    const { url, ask } = await open({}, openToAll);
    const session = await beginSession(url);
    const stream = await fetch(`${url}/mcp`, { headers: { ...toSessionHeaders(), 'mcp-session-id': session } });
    expect(stream.status).toBe(200);
    expect((await ask()).status).toBe(200);
    await addKey({ name: 'app', scopes: ['read'] }, keyFile());
    await expect(stream.text()).rejects.toThrow();
  });

  it('own their sessions: to others, and to a later key of the same name with other rights, there are none', async () => {
    const make = async (name: string, user: string) =>
      (await addKey({ name, users: [user], scopes: ['read'] }, keyFile())).key;
    const [ann, bob] = [await make('ann', 'ann'), await make('bob', 'bob')];
    const { url } = await open();
    const session = await beginSession(url, ann);
    const use = async (key: string, method: string): Promise<number> => {
      const body = method === 'POST' ? { body: '{"jsonrpc":"2.0","id":2,"method":"tools/list"}' } : {};
      const headers = { ...toSessionHeaders(key), 'mcp-session-id': session };
      const response = await fetch(`${url}/mcp`, { method, headers, ...body });
      await response.body?.cancel();
      return response.status;
    };
    for (const method of ['POST', 'GET', 'DELETE']) expect([method, await use(bob, method)]).toEqual([method, 404]);
    expect(await use(ann, 'POST')).toBe(200);
    await revokeKey('ann', keyFile());
    const later = await make('ann', 'bob');
    for (const method of ['POST', 'GET', 'DELETE']) expect([method, await use(later, method)]).toEqual([method, 404]);
  });

  it('are not taken by a server that keeps no callers apart: it starts without them alone, and stops serving at the first', async () => {
    const { ask } = await open({}, 'NOTES must be kept apart');
    expect((await ask()).status).toBe(200);
    const { key } = await addKey({ name: 'app', scopes: ['read'] }, keyFile());
    expect(await ask(key)).toMatchObject({ status: 503, json: { error: { message: 'NOTES must be kept apart' } } });
    await expect(open({}, 'NOTES must be kept apart')).rejects.toThrow('NOTES must be kept apart');
  });

  it('are limited, and say when to come back', async () => {
    const { key } = await addKey({ name: 'app', scopes: ['read'] }, keyFile());
    const { ask } = await open({ RATE_LIMIT_PER_MINUTE: '3' });
    const statuses = [];
    for (let call = 0; call < 5; call += 1) statuses.push((await ask(key)).status);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect(Number((await ask(key)).headers.get('retry-after'))).toBeGreaterThan(0);
  });

  it('are written down when used: who, what, whom, how it ended, and no more', async () => {
    const { key } = await addKey({ name: 'ann', users: ['ann'], scopes: ['read'] }, keyFile());
    const { ask, access } = await open();
    await ask(key, '/whoami?user_id=ann');
    await ask(key, '/whoami?user_id=bob');
    await access.audit.close();
    const lines = (await readFile(join(folder, 'audit', 'notes.jsonl'), 'utf8')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { time: '2026-03-01T00:00:00.000Z', who: 'key ann', operation: 'get /whoami', subjects: ['ann'], outcome: 'ok' },
      {
        time: '2026-03-01T00:00:00.000Z',
        who: 'key ann',
        operation: 'get /whoami',
        subjects: ['bob'],
        outcome: 'forbidden',
      },
    ]);
  });
});

describe('calls that were written down', () => {
  it('are in the file in a moment, also while the server goes on', async () => {
    const { key } = await addKey({ name: 'ann', users: ['ann'], scopes: ['read'] }, keyFile());
    const { ask } = await open();
    for (let call = 0; call < 3; call += 1) await ask(key);
    const countLines = async () =>
      (await readFile(join(folder, 'audit', 'notes.jsonl'), 'utf8')).split('\n').length - 1;
    for (let turn = 0; turn < 600 && (await countLines()) < 3; turn += 1) await sleep(50);
    expect(await countLines()).toBe(3);
  });
});

describe('metrics', () => {
  const ADMIN = { name: 'root', scopes: ['admin'] as const };

  it('count calls and refusals by outcome, and name nobody', async () => {
    const ann = await addKey({ name: 'ann', users: ['ann'], scopes: ['read'] }, keyFile());
    const { key } = await addKey(ADMIN, keyFile());
    const { ask, url } = await open({ RATE_LIMIT_PER_MINUTE: '6' });
    await ask(ann.key);
    await ask(ann.key, '/whoami?user_id=bob');
    const body = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"whoami","arguments":{}}}';
    const session = await beginSession(url, ann.key);
    await ask(ann.key, '/mcp', {
      method: 'POST',
      headers: { ...toSessionHeaders(ann.key), 'mcp-session-id': session },
      body,
    });
    for (const _again of [1, 2, 3]) await ask(ann.key);
    await ask('clk_wrong');
    const { status, text, headers } = await ask(key, '/metrics');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(text.split('\n').filter((line) => line.startsWith('contextloom_'))).toEqual([
      'contextloom_calls_total{operation="get /whoami",outcome="ok"} 3',
      'contextloom_calls_total{operation="get /whoami",outcome="forbidden"} 1',
      'contextloom_calls_total{operation="whoami",outcome="ok"} 1',
      'contextloom_refused_requests_total{outcome="rate_limited"} 1',
      'contextloom_refused_requests_total{outcome="unauthorized"} 1',
    ]);
    expect(text).not.toMatch(/ann|bob/);
  });

  it('are for administrators as soon as there are keys', async () => {
    const { ask } = await open();
    expect((await ask(undefined, '/metrics')).status).toBe(200);
    const { key } = await addKey({ name: 'app', scopes: ['read', 'write'] }, keyFile());
    const admin = await addKey(ADMIN, keyFile());
    expect((await ask(undefined, '/metrics')).status).toBe(401);
    expect((await ask(key, '/metrics')).status).toBe(403);
    expect((await ask(admin.key, '/metrics')).status).toBe(200);
  });
});

describe('servers of one installation', () => {
  it('know each other by tickets of a minute, which nobody else can make', async () => {
    await addKey({ name: 'app', scopes: ['read'] }, keyFile());
    const { ask } = await open();
    const ticket = (await createAuthorize({ keysFile: file })())?.replace('Bearer ', '');
    expect(await ask(ticket)).toMatchObject({ status: 200, json: { name: 'house' } });
    expect((await stat(join(folder, 'house.key'))).mode & 0o777).toBe(0o600);
    const foreign = openInstallationSecret({ keysFile: file, houseSecret: 'x'.repeat(40) });
    expect((await ask(await foreign.sign())).status).toBe(401);
    const [head, body = '', signature] = (ticket ?? '').split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
    const longer = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 9_999 })).toString('base64url');
    expect((await ask(`${head}.${longer}.${signature}`)).status).toBe(401);
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    expect((await ask(`${none}.${longer}.`)).status).toBe(401);
  });

  it('are answered for as long as that takes: a ticket is looked at when a call begins', async () => {
    await addKey({ name: 'app', scopes: ['read'] }, keyFile());
    const { url } = await open();
    await openInstallationSecret({ keysFile: file, houseSecret: undefined }).sign();
    const secret = Buffer.from(await readFile(join(folder, 'house.key'), 'utf8'), 'base64');
    const principal = { name: 'house', users: 'all', projects: 'all', scopes: ['read'] };
    const exp = Math.floor(Date.now() / 1_000) + 2;
    const claims = { iss: 'contextloom-house', principal, exp };
    const ticket = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret);
    const session = await beginSession(url, ticket);
    const stream = await fetch(`${url}/mcp`, { headers: { ...toSessionHeaders(ticket), 'mcp-session-id': session } });
    expect(stream.status).toBe(200);
    const ended = stream.text().then(
      () => 'ended',
      () => 'cut',
    );
    const isOver = async (): Promise<boolean> =>
      (await fetch(`${url}/whoami`, { headers: toSessionHeaders(ticket) })).status === 401;
    while (!(await isOver())) await sleep(50);
    // Twice as long as the door takes to look at streams again.
    expect(await Promise.race([ended, sleep(800, 'goes on')])).toBe('goes on');
  });

  it('show no ticket while nobody asks for keys', async () => {
    expect(await createAuthorize({ keysFile: file })()).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  it('say for whom they call, which only takes rights away', async () => {
    const { key } = await addKey({ name: 'app', users: ['ann', 'bob'], scopes: ['read'] }, keyFile());
    const { ask } = await open();
    const as = (limit: unknown) => ask(key, '/whoami', { headers: { 'contextloom-principal': JSON.stringify(limit) } });
    const all = { name: 'x', users: 'all', projects: 'all', scopes: ['admin', 'read', 'write'] };
    expect(await as({ ...all, users: ['bob'] })).toMatchObject({ json: { name: 'key app for x', user_id: 'bob' } });
    expect((await as({ ...all, users: ['cy'] })).json).toMatchObject({ name: 'key app for x' });
    expect((await as({ users: 5 })).status).toBe(422);
    const headers = { 'contextloom-principal': JSON.stringify(all) };
    expect((await ask(key, '/change', { method: 'POST', headers })).status).toBe(403);
  });
});

describe('tokens of an identity provider', () => {
  async function startProvider() {
    const pairs = { one: await generateKeyPair('RS256'), two: await generateKeyPair('ES256') };
    const shown: object[] = [{ ...(await exportJWK(pairs.one.publicKey)), kid: 'one', alg: 'RS256' }];
    let issuer = '';
    const server = createServer((request, response) => {
      const isMetadata = request.url === '/.well-known/openid-configuration';
      const answer = isMetadata ? { issuer, jwks_uri: `${issuer}/jwks` } : { keys: shown };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    closing.push(() => new Promise((resolve) => server.close(resolve)));
    const sign = (
      claims: object,
      changes: { key?: 'one' | 'two'; audience?: string; issuer?: string; exp?: string } = {},
    ) => {
      const { key = 'one', audience = 'contextloom', exp = '5m' } = changes;
      return new SignJWT({ scope: 'read write', ...claims })
        .setProtectedHeader({ alg: key === 'one' ? 'RS256' : 'ES256', kid: key })
        .setIssuer(changes.issuer ?? issuer)
        .setAudience(audience)
        .setExpirationTime(exp)
        .sign(pairs[key].privateKey);
    };
    return {
      issuer,
      sign,
      show: async () => void shown.push({ ...(await exportJWK(pairs.two.publicKey)), kid: 'two', alg: 'ES256' }),
    };
  }

  it('reach the user that they name, with the scopes that they name', async () => {
    const { issuer, sign } = await startProvider();
    const { ask } = await open({ AUTH_ISSUER: issuer, AUTH_AUDIENCE: 'contextloom' });
    expect(await ask(await sign({ sub: 'ann' }))).toMatchObject({ json: { name: 'token ann', user_id: 'ann' } });
    expect((await ask(await sign({ sub: 'ann' }), '/whoami?user_id=bob')).status).toBe(403);
    expect((await ask(await sign({ sub: 'ann', scope: 'read' }), '/change', { method: 'POST' })).status).toBe(403);
    expect((await ask(await sign({ sub: 'ann', scope: 'openid' }))).status).toBe(403);
    expect((await ask(await sign({ sub: 'root', scope: 'admin' }), '/whoami?user_id=bob')).status).toBe(200);
    expect((await ask(await sign({}))).status).toBe(401);
  });

  it('are refused when they are for others, over, unsigned, or signed by others', async () => {
    const { issuer, sign, show } = await startProvider();
    const { ask } = await open({ AUTH_ISSUER: issuer, AUTH_AUDIENCE: 'contextloom' });
    const good = await sign({ sub: 'ann' });
    const [head, body, signature = ''] = good.split('.');
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${body}.`;
    const shared = await new SignJWT({ scope: 'read' })
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .setSubject('ann')
      .setIssuer(issuer)
      .setAudience('contextloom')
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode('a secret that everybody may know'));
    const bad = [
      await sign({ sub: 'ann' }, { audience: 'others' }),
      await sign({ sub: 'ann' }, { issuer: 'http://127.0.0.1:1' }),
      await sign({ sub: 'ann' }, { exp: '-1m' }),
      await sign({ sub: 'ann' }, { key: 'two' }),
      unsigned,
      shared,
      `${head}.${body}.${signature.slice(0, -4)}AAAA`,
    ];
    for (const token of bad) expect((await ask(token)).status).toBe(401);
    await show();
    expect((await ask(good)).status).toBe(200);
  });

  it('are told of by metadata, and by the challenge', async () => {
    const { issuer } = await startProvider();
    const { ask, url } = await open({ AUTH_ISSUER: issuer, AUTH_AUDIENCE: 'contextloom' });
    const { headers } = await ask();
    const path = '/.well-known/oauth-protected-resource';
    expect(headers.get('www-authenticate')).toBe(`Bearer resource_metadata="${url}${path}"`);
    expect((await ask(undefined, path)).json).toMatchObject({
      resource: 'contextloom',
      authorization_servers: [issuer],
    });
    await expect(open({ AUTH_ISSUER: issuer })).rejects.toThrow('AUTH_ISSUER needs AUTH_AUDIENCE');
  });
});

describe('a body that is not sent to its end', () => {
  it('is given up when nothing of it comes for a while, and one that comes slowly is not', async () => {
    const { access } = await open();
    const app = await createHttpApp();
    const admit = createAdmit({ ...access.guard, silenceMs: 2_000, log: silentLog });
    app.post('/', async (request, response) => {
      await admit(request, response);
      let length = 0;
      for await (const piece of request) length += piece.length;
      response.json({ length });
    });
    const endpoint = await listen(app, { host: '127.0.0.1', port: 0, graceMs: 100 });
    closing.push(() => endpoint.close());
    const begin = (): Socket => {
      const socket = connect(endpoint.port, '127.0.0.1');
      socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\nConnection: close\r\n\r\n');
      return socket;
    };
    const silent = begin();
    const slow = begin();
    for (let piece = 0; piece < 10; piece += 1) {
      slow.write('x');
      await sleep(250);
    }
    expect(await text(silent)).toMatch(/^HTTP\/1\.1 408/);
    expect(await text(slow)).toMatch(/^HTTP\/1\.1 200[\s\S]*\{"length":10\}$/);
  });
});

it.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::ffff:10.0.0.7', '10.0.0.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('counts %s as %s', (remoteAddress, address) => {
  expect(addressOf({ remoteAddress })).toBe(address);
});
