import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runCli } from '../fixtures/run-cli.ts';

const server = (service: string) => fileURLToPath(new URL(`../../../${service}/dist/server.js`, import.meta.url));

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-reasons-'));
  await writeFile(join(folder, 'chat.txt'), 'Anna: I love tea.\nBen: Noted.');
  await writeFile(join(folder, 'broken.json'), '[{"role":"user","content":"I love tea"},\n{"role":');
});
afterEach(() => rm(folder, { recursive: true }));

async function findClosedUrl(): Promise<string> {
  const endpoint = createServer();
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  const address = endpoint.address();
  await new Promise((resolve) => endpoint.close(resolve));
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

/** Remembers a file with the real memory processor behind the real aggregator, each a process of its own. */
async function remember(file: string, env: Readonly<Record<string, string>>) {
  const config = join(folder, 'mcp_config.json');
  const all = { LOG_LEVEL: 'warn', KB_DATA_DIR: join(folder, 'data'), MCP_CONFIG: config, ...env };
  const entry = (service: string) => ({ command: process.execPath, args: [server(service)], env: all });
  const mcpServers = { 'knowledge-base': entry('knowledge-base'), 'memory-processor': entry('memory-processor') };
  await writeFile(config, JSON.stringify({ mcpServers }));
  const { code, stdout } = await runCli(['--config', config, 'remember', file, '--user', 'anna', '--json'], {
    cwd: folder,
  });
  return { code, ...(JSON.parse(stdout) as { error?: { code: string; message: string; field?: string } }) };
}

describe('the reason why a conversation cannot be remembered reaches whoever asked', () => {
  it('when the knowledge base is down', async () => {
    const url = await findClosedUrl();
    const message = expect.stringMatching(new RegExp(`^the knowledge base at ${url} .*cannot be reached; start it`));
    expect(await remember('chat.txt', { KB_URL: url })).toMatchObject({
      code: 1,
      error: { code: 'unavailable', message },
    });
  });

  it('when the conversation is broken JSON', async () => {
    const { code, error } = await remember('broken.json', {});
    expect(code).toBe(1);
    expect(error?.message).toMatch(/JSON/);
    expect(error?.message).not.toContain('the log of this server');
  });

  it('when the data folder cannot be written, through a knowledge base that cannot even start', async () => {
    await writeFile(join(folder, 'file'), '');
    const answer = await remember('chat.txt', { KB_DATA_DIR: join(folder, 'file', 'data') });
    expect(answer).toMatchObject({ code: 1, error: { message: expect.stringContaining('KB_DATA_DIR') } });
  });

  it('when the embedding endpoint is down', async () => {
    const url = await findClosedUrl();
    const env = { EMBEDDING_PROVIDER: 'openai', EMBEDDING_MODEL: 'x', EMBEDDING_BASE_URL: url, EMBEDDING_API_KEY: 'k' };
    const answer = await remember('chat.txt', env);
    expect(answer).toMatchObject({ code: 1, error: { message: expect.stringContaining(`${url} cannot be reached`) } });
  });
});
