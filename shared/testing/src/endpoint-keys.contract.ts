import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Access, accessSettings, addKey, openAccess, revokeKey } from '@contextloom/access';
import { readSettings, silentLog } from '@contextloom/runtime';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

/** A request that a caller with a key for everything is answered for with 200. */
export interface EndpointRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An endpoint whose keys are tried. */
export interface TriedEndpoint {
  /** The name by which keys are for this server alone. */
  readonly server: string;
  /** Opens it anew. */
  readonly open: (access: Access) => Promise<{ readonly url: string; readonly close: () => Promise<void> }>;
  /** As who shows the key, or nobody. */
  readonly toRequest: (key: string | undefined) => EndpointRequest;
  /** Opens a stream that goes on until it is cut; its headers are there. */
  readonly openStream: (url: string, key: string) => Promise<Response>;
  /** Whether the stream is one on which nothing is answered: those have a limit of their own. */
  readonly hasEventStreams: boolean;
}

const PRINCIPAL = 'contextloom-principal';
const everything = { users: 'all', projects: 'all', scopes: ['read', 'write', 'admin'] };
/** What a caller may add to its name. */
const claims: readonly string[] = Array.from({ length: 12 }, (_, at) =>
  JSON.stringify({ ...everything, name: at % 2 === 0 ? `someone-${at}` : `key other ${at}` }),
);

/** What holds of keys at every endpoint: who is let in, for how long, how often, and how much at once. */
export function describeEndpointKeys(name: string, openTried: () => Promise<TriedEndpoint> | TriedEndpoint): void {
  describe(`keys at the door of ${name}`, () => {
    let folder: string;
    let file: string;
    let tried: TriedEndpoint;
    let closing: (() => Promise<unknown>)[];
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'contextloom-door-'));
      file = join(folder, 'keys.json');
      closing = [];
      tried = await openTried();
    });
    afterEach(async () => {
      for (const close of closing.reverse()) await close();
      await rm(folder, { recursive: true, maxRetries: 5 });
    });
    const keyFile = () => ({ file, clock: () => new Date() });
    const add = async (more: object = {}): Promise<string> =>
      (await addKey({ name: 'app', scopes: ['read', 'write'], ...more }, keyFile())).key;

    async function open(env: Readonly<Record<string, string>> = {}) {
      const config = readSettings(accessSettings, { CONTEXTLOOM_KEYS_FILE: file, ...env }).values;
      const access = openAccess({ config, server: tried.server, clock: () => new Date(), log: silentLog });
      const endpoint = await tried.open(access);
      closing.push(() => endpoint.close());
      const { url } = endpoint;
      const ask = async (key?: string, more: Readonly<Record<string, string>> = {}) => {
        const { path, headers, body } = tried.toRequest(key);
        const response = await fetch(`${url}${path}`, { method: 'POST', headers: { ...headers, ...more }, body });
        return { status: response.status, headers: response.headers, text: await response.text() };
      };
      return { url, ask };
    }

    /** Begins a request whose body never ends; resolves once its beginning is sent. */
    async function beginBody(
      url: string,
      key: string | undefined,
      claim?: string,
    ): Promise<{ readonly closed: Promise<void> }> {
      const { path, headers } = tried.toRequest(key);
      const more = { 'content-length': '1000', ...(claim !== undefined && { [PRINCIPAL]: claim }) };
      const unfinished = request(`${url}${path}`, { method: 'POST', agent: false, headers: { ...headers, ...more } });
      unfinished.on('error', () => undefined).on('response', (response) => response.resume());
      closing.push(async () => unfinished.destroy());
      const closed = new Promise<void>((resolve) => void unfinished.once('close', () => resolve()));
      await new Promise<void>((resolve) => unfinished.write('{', () => resolve()));
      return { closed };
    }

    it('are asked for as soon as there is one', async () => {
      const { ask } = await open();
      expect((await ask()).status).toBe(200);
      const key = await add();
      const refused = await ask();
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect((await ask(key)).status).toBe(200);
    });

    it('let nobody in that are wrong, revoked, expired or for another server', async () => {
      const elsewhere = await add({ name: 'elsewhere', servers: ['elsewhere'] });
      const expired = await add({ name: 'expired', expires_at: '2000-01-01T00:00:00Z' });
      const key = await add();
      const { ask } = await open();
      for (const wrong of ['clk_wrong', key.toUpperCase(), `${key}x`, elsewhere, expired]) {
        expect([wrong, (await ask(wrong)).status]).toEqual([wrong, 401]);
      }
      expect((await ask(key)).status).toBe(200);
      await revokeKey('app', keyFile());
      expect((await ask(key)).status).toBe(401);
    });

    it('that are wrong are slowed down, and a right one from the same address is not', async () => {
      const key = await add();
      const { ask } = await open();
      const statuses = [];
      for (let count = 0; count < 32; count += 1) statuses.push((await ask(`clk_${count}`)).status);
      expect(statuses).toEqual([...Array.from({ length: 30 }, () => 401), 429, 429]);
      expect(Number((await ask('clk_wrong')).headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await ask(key)).status).toBe(200);
    });

    it('let nobody in while their file cannot be read, and say nothing of it', async () => {
      const key = await add();
      const { ask } = await open();
      await writeFile(file, '{"keys": 5}');
      const refused = await ask(key);
      expect([refused.status, refused.text.includes(folder)]).toEqual([503, false]);
    });

    it('are limited by the minute, whatever name a caller adds', async () => {
      const key = await add();
      const { ask } = await open({ RATE_LIMIT_PER_MINUTE: '5' });
      const statuses = [];
      for (const claim of claims) statuses.push((await ask(key, { [PRINCIPAL]: claim })).status);
      expect(statuses).toEqual([...Array.from({ length: 5 }, () => 200), ...Array.from({ length: 7 }, () => 429)]);
    });

    it.each([true, false])('keep nobody out by bodies that never end, with keys: %s', async (hasKeys) => {
      const key = hasKeys ? await add() : undefined;
      const { url, ask } = await open({ RATE_LIMIT_CONCURRENT: '4' });
      const unfinished = [];
      for (const claim of claims) unfinished.push(await beginBody(url, key, claim));
      expect((await ask(key)).status).toBe(200);
      await Promise.race(unfinished.map(({ closed }) => closed)); // Some made way.
      for (let count = 0; count < 3; count += 1) expect((await ask(key)).status).toBe(200);
    });

    it('end streams within a second of being revoked', async () => {
      const key = await add();
      const { url } = await open();
      const stream = await tried.openStream(url, key);
      expect(stream.status).toBe(200);
      await revokeKey('app', keyFile());
      await expect(stream.text()).rejects.toThrow();
    });

    it('have streams counted: event streams apart, and those that are answers as calls', async () => {
      const key = await add();
      const { url, ask } = await open({ RATE_LIMIT_CONCURRENT: '3' });
      const streams = [];
      for (let count = 0; count < 2; count += 1) streams.push(await tried.openStream(url, key));
      expect([...streams.map(({ status }) => status), (await ask(key)).status]).toEqual([200, 200, 200]);
      streams.push(await tried.openStream(url, key));
      expect([streams.at(-1)?.status, (await ask(key)).status]).toEqual([200, tried.hasEventStreams ? 200 : 429]);
      if (tried.hasEventStreams) expect((await tried.openStream(url, key)).status).toBe(429);
      await Promise.all(streams.map(({ body }) => body?.cancel()));
    });
  });
}

const MCP_HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

const bearer = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { authorization: `Bearer ${key}` };

/** How the MCP endpoint of a server is asked. */
export const mcpEndpoint: Omit<TriedEndpoint, 'server' | 'open'> = {
  hasEventStreams: true,
  toRequest: (key) => ({ path: '/mcp', headers: { ...MCP_HEADERS, ...bearer(key) }, body: toHandshake() }),
  openStream: async (url, key) => {
    const headers = { ...MCP_HEADERS, ...bearer(key) };
    const begun = await fetch(`${url}/mcp`, { method: 'POST', headers, body: toHandshake() });
    await begun.text();
    return fetch(`${url}/mcp`, {
      headers: { ...headers, 'mcp-session-id': begun.headers.get('mcp-session-id') ?? '' },
    });
  },
};

function toHandshake(): string {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } };
  return JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
}
