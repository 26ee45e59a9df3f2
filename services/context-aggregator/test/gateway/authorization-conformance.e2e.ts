import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addKey } from '@contextloom/access';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  canRunConformance,
  INSTALL_MS,
  installConformance,
  tryAuthorizationServer,
} from '../support/conformance-suite.ts';
import { type HttpAggregator, startHttpAggregator } from '../support/server-process.ts';
import { allowProgram, type ReverseProxy, startReverseProxy } from '../support/signing-in.ts';

let folder: string;
let proxy: ReverseProxy;
let aggregator: HttpAggregator | undefined;
let key: string;
beforeAll(async () => {
  if (!canRunConformance) return;
  await installConformance();
  folder = await mkdtemp(join(tmpdir(), 'contextloom-authorization-'));
  proxy = await startReverseProxy(() => aggregator?.url.port);
  const file = join(folder, 'mcp_config.json');
  await writeFile(file, JSON.stringify({ mcpServers: {} }));
  const keysFile = join(folder, 'keys.json');
  const request = { name: 'ann', users: ['ann'], scopes: ['read'] as const };
  key = (await addKey(request, { file: keysFile, clock: () => new Date() })).key;
  const env = { PATH: process.env['PATH'], XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };
  const access = { CONTEXTLOOM_KEYS_FILE: keysFile, AUTH_ISSUER: 'self', PUBLIC_URL: proxy.url };
  aggregator = await startHttpAggregator(file, { ...env, ...access });
}, INSTALL_MS);
afterAll(async () => {
  if (!canRunConformance) return;
  await aggregator?.stop();
  proxy.close();
  await rm(folder, { recursive: true, force: true });
});

/** A port that nobody uses now. */
function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  return new Promise((resolve) =>
    server.once('listening', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    }),
  );
}

/** What the suite needs Node 22 of npm for: elsewhere than on linux-x64 it is skipped. */
const onLinux = canRunConformance ? describe : describe.skip;

onLinux('the authorization server of the aggregator', () => {
  it.each(['2025-11-25', '2026-07-28'])(
    'is as revision %s requires',
    async (revision) => {
      const port = await findPort();
      const metadata = {
        client_name: 'Conformance',
        redirect_uris: [`http://127.0.0.1:${port}/callback`],
        token_endpoint_auth_method: 'none',
      };
      const registered = await fetch(`${proxy.url}/oauth/register`, {
        method: 'POST',
        body: JSON.stringify(metadata),
        headers: { 'content-type': 'application/json' },
      });
      const { client_id: clientId } = (await registered.json()) as { client_id: string };
      const signIn = (url: string) => allowProgram(url, key);
      const trial = { issuer: proxy.url, clientId, resource: `${proxy.url}/mcp`, port, signIn };
      const told = await tryAuthorizationServer(trial, revision);
      for (const passed of ['metadata-endpoint: 2 passed, 0 failed', 'code-grant: 1 passed, 0 failed', '3 passed']) {
        expect(told).toContain(passed);
      }
    },
    300_000,
  );
});
