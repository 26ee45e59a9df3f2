import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts';

describe('the line of the tests', () => {
  let server: Server;
  let line: TcpProxy;
  beforeEach(async () => {
    server = createServer((_request, response) => response.end('{"here":true}')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    line = await startTcpProxy((server.address() as AddressInfo).port);
  });
  afterEach(async () => {
    await line.close();
    server.close();
    server.closeAllConnections();
  });

  it('passes what it is given, slowly if told so', async () => {
    line.delayMs = 20;
    expect(await (await fetch(line.url)).json()).toEqual({ here: true });
  });

  it('swallows answers while it is silent, and passes them again after', async () => {
    line.isSilent = true;
    await expect(fetch(line.url, { signal: AbortSignal.timeout(100) })).rejects.toThrow();
    line.isSilent = false;
    expect(await (await fetch(line.url)).json()).toEqual({ here: true });
  });

  it('breaks what is open, and takes new connections', async () => {
    line.isSilent = true;
    const asked = fetch(line.url);
    setTimeout(line.cut, 50);
    await expect(asked).rejects.toThrow();
    line.isSilent = false;
    expect((await fetch(line.url)).status).toBe(200);
  });
});
