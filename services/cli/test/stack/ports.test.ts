import { createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { findPort, toBaseUrl } from '../../src/stack/ports.ts';

let taken: Server | undefined;

afterEach(() => {
  taken?.close();
});

async function takePort(): Promise<number> {
  const server = createServer();
  taken = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('finding a port', () => {
  it('answers a port that can be opened for 0', async () => {
    expect(await findPort({ host: '127.0.0.1', port: 0, changeWith: '--port' })).toBeGreaterThan(0);
  });

  it('names port, address and option of a port in use', async () => {
    const port = await takePort();
    await expect(findPort({ host: '127.0.0.1', port, changeWith: '--kb-port or KB_PORT' })).rejects.toMatchObject({
      code: 'conflict',
      message: `port ${port} on 127.0.0.1 is in use: choose another with --kb-port or KB_PORT`,
    });
  });

  it('says so when this machine does not have the address', async () => {
    await expect(findPort({ host: '192.0.2.1', port: 0, changeWith: '--host' })).rejects.toMatchObject({
      message: expect.stringContaining('192.0.2.1 cannot be opened'),
    });
  });
});

describe('the base address of a service', () => {
  it.each([
    ['127.0.0.1', 'http://127.0.0.1:8000'],
    ['0.0.0.0', 'http://127.0.0.1:8000'],
    ['::', 'http://127.0.0.1:8000'],
    ['::1', 'http://[::1]:8000'],
    ['loom.local', 'http://loom.local:8000'],
  ])('that listens on %s is %s', (host, url) => {
    expect(toBaseUrl(host, 8000)).toBe(url);
  });
});
