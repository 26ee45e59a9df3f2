import { request } from 'node:http';
import { silentLog } from '@contextloom/runtime';
import { type Listening, listen } from '@contextloom/server-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ChatMemory } from '../src/memory.ts';
import { createProxyApi } from '../src/proxy-api.ts';
import { type Provider, startProvider } from './support/provider.ts';

const memory: ChatMemory = {
  recall: async () => ({ prompt: undefined, state: 'away' }),
  store: () => undefined,
  warmUp: () => undefined,
  close: async () => undefined,
};

let provider: Provider;
let proxy: Listening;
beforeAll(async () => {
  provider = await startProvider();
  const options = { memory, providerUrl: `${provider.url}/v1`, providerKey: 'sk-operator', userId: 'default' };
  const api = createProxyApi({ ...options, stores: false, marks: true, log: silentLog });
  proxy = await listen(await api.toApp(), { host: '127.0.0.1', port: 0, graceMs: 100 });
});
beforeEach(() => void provider.seen.splice(0));
afterAll(async () => {
  await proxy.close();
  await provider.close();
});

/** Sends a request with this very target: what fetch would rewrite reaches the proxy as it is. */
function send(target: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const requested = request({ host: '127.0.0.1', port: proxy.port, path: target, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    requested.once('error', reject).end();
  });
}

/** What the provider would answer for, by the strictest reading and by that of servers which decode once more. */
const isBelow = (url: string): boolean => {
  const decode = (text: string): string => text.replace(/(?:%[\da-f]{2})+/gi, decodeURIComponent);
  return [url, decode(url), decode(decode(url)), decode(decode(decode(url)))].every((text) => {
    const path = new URL(text.split(/[?#]/, 1).join(''), 'http://provider').pathname;
    return path === '/v1' || path.startsWith('/v1/');
  });
};

/** A sign, and ways to write it that one server or another reads as it. */
const encode = (sign: string): string => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`;
const spellings = (sign: string): readonly string[] => {
  const once = encode(sign);
  const twice = once.replace('%', '%25');
  return [sign, once, once.toUpperCase(), twice, twice.replace('%25', '%2525')];
};
const dot = fc.constantFrom(...spellings('.'), '%ef%bc%8e', '%c0%ae', '%u002e');
const dots = fc.oneof(
  fc.tuple(dot, dot).map((two) => two.join('')),
  dot,
  fc.constantFrom('..;', '..;a=b', '%e2%80%a5', '..%20', '%09..'),
);
const slash = fc.constantFrom(...spellings('/'), ...spellings('\\'), '//', '%ef%bc%8f', '%ef%bc%bc');
const word = fc.constantFrom('organization', 'chat', 'models', 'a.b', '...', 'x%2Fy', 'v1', '@evil.example', ':80');
const target = fc
  .tuple(
    fc.constantFrom('/v1', '/v1/', '/V1', '/v1/chat', 'http://evil.example/v1', '//v1'),
    fc.array(fc.oneof(dots, slash, word), { maxLength: 9 }),
  )
  .map(([start, pieces]) => start + pieces.join(''));

describe('a path', () => {
  it.each([
    '/v1/../organization/api_keys',
    '/v1/%2e%2e/organization',
    '/v1/%2E./organization',
    '/v1/%252e%252e/organization',
    '/v1/%25252e%25252e/organization',
    '/v1/..\\organization',
    '/v1/..%5corganization',
    '/v1/chat/..%2f..%2forganization',
    '/v1/..;/organization',
    '/v1/./organization',
    '/v1/%c0%ae%c0%ae/organization',
    '/v1/%uff0e%uff0e/organization',
    '/v1/%ef%bc%8e%ef%bc%8e/organization',
    '/v1/a%00b',
    'http://evil.example/v1/../organization',
  ])('%s is refused, and the provider does not hear of it', async (path) => {
    expect([await send(path), provider.seen]).toEqual([400, []]);
  });

  it.each([
    '/models/gpt-4.1',
    '/models/org%2Fname',
    '/files/..a',
    '/files/a..b?x=../..',
    '/files/100%25',
    '/',
    '/a//b',
  ])('%s goes on as it came', async (path) => {
    expect(await send(`/v1${path}`)).toBe(200);
    expect(provider.seen.map(({ url }) => url)).toEqual([`/v1${path}`]);
  });

  it('reaches the provider below /v1 or not at all, however it is written', async () => {
    await fc.assert(
      fc.asyncProperty(target, async (path) => {
        provider.seen.splice(0);
        await send(path);
        for (const { url } of provider.seen) expect([path, url, isBelow(url)]).toEqual([path, url, true]);
      }),
      { numRuns: 200 },
    );
  });
});
