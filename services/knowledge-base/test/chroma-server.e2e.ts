import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { describeWithChroma, startChroma } from './support/chroma-server.ts';

/** The first start on a machine installs the server. */
const INSTALL_MS = 330_000;

async function callChroma(url: string, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${url}/api/v2${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return response.json();
}

const COLLECTIONS = '/tenants/default_tenant/databases/default_database/collections';

describeWithChroma('the Chroma server of the tests', () => {
  it(
    'keeps its data over SIGKILL and a restart on the same port',
    async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'contextloom-chroma-'));
      const first = await startChroma({ dataDir });
      await callChroma(first.url, 'POST', COLLECTIONS, { name: 'kept' });
      await first.kill();
      await expect(fetch(first.url)).rejects.toThrow();
      const second = await startChroma({ dataDir, port: first.port });
      expect(await callChroma(second.url, 'GET', COLLECTIONS)).toMatchObject([{ name: 'kept' }]);
      await second.stop();
      await rm(dataDir, { recursive: true });
    },
    INSTALL_MS,
  );

  it(
    'serves several at once and takes its own folder with it',
    async () => {
      const servers = await Promise.all([startChroma(), startChroma()]);
      const versions = await Promise.all(servers.map(({ url }) => callChroma(url, 'GET', '/version')));
      expect(versions).toEqual(['1.0.0', '1.0.0']);
      for (const server of servers) {
        await server.stop();
        await expect(access(server.dataDir)).rejects.toThrow();
        expect(() => process.kill(server.pid, 0)).toThrow();
      }
    },
    INSTALL_MS,
  );

  it(
    'fails when its port is taken',
    async () => {
      const server = await startChroma();
      await expect(startChroma({ port: server.port })).rejects.toThrow();
      await server.stop();
    },
    INSTALL_MS,
  );
});
