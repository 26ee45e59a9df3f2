import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reverse proxy in front of a server that is started later. */
export interface ReverseProxy {
  /** Where people reach it. */
  readonly url: string;
  readonly close: () => void;
}

/** Starts one; the port is asked for at each request. */
export async function startReverseProxy(toPort: () => string | undefined): Promise<ReverseProxy> {
  const proxy = createServer((asked, answered) => {
    const { url: path, method, headers } = asked;
    const sent = forward({ host: '127.0.0.1', port: toPort(), path, method, headers });
    sent.on('response', (got) => got.pipe(answered.writeHead(got.statusCode ?? 502, got.rawHeaders)));
    asked.pipe(sent);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://localhost:${(proxy.address() as AddressInfo).port}`,
    close: () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

/** Lets a program in with a key, as a person does in a browser; answers the address that the person is sent back to. */
export async function allowProgram(authorizeUrl: string | URL, key: string): Promise<URL> {
  const jar = new Map<string, string>();
  const go = async (address: string | URL, init: RequestInit = {}): Promise<URL> => {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const answered = await fetch(address, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const line of answered.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      jar.set(name, value);
    }
    return new URL(answered.headers.get('location') ?? '', address);
  };
  const page = await go(authorizeUrl);
  const headers = { origin: page.origin, 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams({ key, decision: 'allow' }).toString();
  return go(await go(page, { method: 'POST', body, headers }));
}
