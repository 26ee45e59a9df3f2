import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addKey } from '@contextloom/access';
import { connectOverHttp, type TestClient } from '@contextloom/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type HttpAggregator, startHttpAggregator } from './support/server-process.ts';
import { allowProgram, type ReverseProxy, startReverseProxy } from './support/signing-in.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const service = (name: string) => ({
  command: process.execPath,
  args: [join(root, `services/${name}/dist/server.js`)],
});
const CALLBACK = 'https://chatgpt.example/callback';

let folder: string;
let proxy: ReverseProxy;
let url: string;
let aggregator: HttpAggregator | undefined;
const keys: Record<string, string> = {};
const clients: TestClient[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-connector-'));
  proxy = await startReverseProxy(() => aggregator?.url.port);
  url = proxy.url;
  const file = join(folder, 'mcp_config.json');
  const mcpServers = { 'knowledge-base': service('knowledge-base'), 'personal-memory': service('personal-memory') };
  await writeFile(file, JSON.stringify({ mcpServers, aggregator: { source_deadline_ms: 120_000 } }));
  const keysFile = join(folder, 'keys.json');
  for (const user of ['ann', 'bob']) {
    const request = { name: user, users: [user], scopes: ['read', 'write'] as const };
    keys[user] = (await addKey(request, { file: keysFile, clock: () => new Date() })).key;
  }
  const env = { PATH: process.env['PATH'], XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };
  const access = { CONTEXTLOOM_KEYS_FILE: keysFile, AUTH_ISSUER: 'self', PUBLIC_URL: url, MULTI_USER: 'true' };
  aggregator = await startHttpAggregator(file, { ...env, ...access });
}, 120_000);
afterAll(async () => {
  for (const client of clients) await client.close();
  await aggregator?.stop();
  proxy.close();
  await rm(folder, { recursive: true, force: true });
});

async function connect(token: string, path: string): Promise<TestClient> {
  const client = await connectOverHttp(new URL(path, aggregator?.url), undefined, { Authorization: `Bearer ${token}` });
  clients.push(client);
  return client;
}

/** Lets a program in as a person does in a browser; answers its token for the connector. */
async function letIn(user: string): Promise<string> {
  const post = (path: string, body: string, type: string) =>
    fetch(new URL(path, url), { method: 'POST', body, headers: { 'content-type': type } });
  const metadata = { client_name: 'ChatGPT', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };
  const registered = await post('/oauth/register', JSON.stringify(metadata), 'application/json');
  const { client_id } = (await registered.json()) as { client_id: string };
  const code_verifier = randomBytes(32).toString('base64url');
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: CALLBACK,
    resource: `${url}/mcp/connector`,
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const back = await allowProgram(new URL(`/oauth/authorize?${asked}`, url), keys[user] ?? '');
  const code = back.searchParams.get('code') ?? '';
  const exchange = { grant_type: 'authorization_code', code, client_id, code_verifier, redirect_uri: CALLBACK };
  const answered = await post(
    '/oauth/token',
    new URLSearchParams(exchange).toString(),
    'application/x-www-form-urlencoded',
  );
  return ((await answered.json()) as { access_token: string }).access_token;
}

interface Results {
  readonly results: readonly { readonly id: string; readonly title: string; readonly url: string }[];
}

describe('the profile connector, by the token that a person gave a program', () => {
  it("searches and fetches that person's memory and documents, and nobody else's", async () => {
    const long = `# Caring for looms\n\n${'A loom likes a dry room and an even floor. '.repeat(40)}`;
    const writers = await Promise.all(['ann', 'bob'].map((user) => connect(keys[user] ?? '', '/mcp/all')));
    const ids: string[] = [];
    for (const [at, writer] of writers.entries()) {
      const user = ['ann', 'bob'][at] ?? '';
      const { structured } = await writer.callTool('remember', { text: `${user} keeps the loom in the attic.` });
      ids.push(String(Object(structured).id));
    }
    const added = await writers[0]?.callTool('knowledge-base__add_document', {
      content: long,
      doc_id: 'manual',
      metadata: { user_id: 'ann' },
    });
    expect(added?.isError).toBe(false);
    const connector = await connect(await letIn('ann'), '/mcp/connector');
    const { tools } = await connector.listTools();
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['search', true],
      ['fetch', true],
    ]);
    expect(tools.map(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}))).toEqual([['query'], ['id']]);
    const searched = await connector.callTool('search', { query: 'Where is the loom kept?' });
    const { results } = searched.structured as Results;
    expect(JSON.parse(searched.text)).toEqual({ results });
    expect(results.map(({ title }) => title)).toContain('ann keeps the loom in the attic.');
    expect(JSON.stringify(results)).not.toContain('bob');
    const [mine, others] = ids;
    const result = results.find(({ id }) => id === mine);
    expect(result?.url).toBe(`${url}/#memories?id=${encodeURIComponent(mine ?? '')}`);
    const fetched = await connector.callTool('fetch', { id: mine });
    expect(fetched.structured).toEqual({
      ...result,
      text: 'ann keeps the loom in the attic.',
      metadata: { store: 'knowledge-base', time: expect.any(String) },
    });
    expect(JSON.parse(fetched.text)).toEqual(fetched.structured);
    const manual = (await connector.callTool('search', { query: 'caring for looms' })).structured as Results;
    expect(manual.results.map(({ id }) => id)).toContain('note:manual');
    const whole = await connector.callTool('fetch', { id: 'note:manual' });
    // What is told has no headings of its own, as everywhere: those of a prompt are ours.
    expect(whole.structured).toMatchObject({
      title: 'Caring for looms',
      text: long.replace('# ', '＃ '),
    });
    expect((await connector.callTool('fetch', { id: others })).text).toContain('there is no memory');
    for (const id of ['note:none', 'fact:none', 'x', 'note:', '../x', 'project:bob-loom/mem_1']) {
      expect((await connector.callTool('fetch', { id })).isError).toBe(true);
    }
    expect(await connector.codeOf('fetch', { id: others, user_id: 'bob' })).toBe('forbidden');
    expect(await connector.codeOf('search', { query: 'loom', user_id: 'bob' })).toBe('forbidden');
    expect((await connector.callTool('search', { query: ' ' })).isError).toBe(true);
    await expect(connector.callTool('remember', { text: 'x' })).rejects.toThrow();
  }, 240_000);

  it('opens no other address with it', async () => {
    const token = await letIn('bob');
    await expect(connect(token, '/mcp/all')).rejects.toThrow();
    const session = await fetch(new URL('/session', url), { headers: { authorization: `Bearer ${token}` } });
    expect(session.status).toBe(401);
  }, 120_000);
});
