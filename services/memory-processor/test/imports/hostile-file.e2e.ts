import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { built, createFolder } from '../support/knowledge-base.ts';

let remove = async (): Promise<void> => undefined;
let child: ChildProcess | undefined;
let address = '';
const client = new Client({ name: 'test', version: '0' });

/** The address on which a server listens, as its log tells it. */
async function findAddress(stderr: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stderr })) {
    const { msg, url } = JSON.parse(line) as { msg?: string; url?: string };
    if (msg === 'listening' && url !== undefined) return new URL(url).origin;
  }
  throw new Error('the server ended before it listened; is it built?');
}

beforeAll(async () => {
  const folder = await createFolder();
  remove = folder.remove;
  const own = { MEMORY_PROCESSOR_DATA_DIR: folder.path, KB_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'info' };
  child = spawn(process.execPath, [built('memory-processor/dist/server.js'), '--http', '0'], {
    env: { PATH: process.env['PATH'], HOME: folder.path, ...own },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (child.stderr === null) throw new Error('no standard error');
  address = await findAddress(child.stderr);
  child.stderr.resume();
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${address}/mcp`)) as Parameters<Client['connect']>[0],
  );
});

afterAll(async () => {
  await client.close();
  child?.kill('SIGTERM');
  await remove();
});

async function call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: args }, undefined, {
    timeout: 600_000,
  });
  if (isError === true) throw new Error(JSON.stringify(content));
  return structuredContent as Record<string, unknown>;
}

it.each([
  ['a turn of QQ and 200,000 times', `2024-03-01 10:20:31 小明(123456)\n你好${'\n10:00'.repeat(200_000)}`],
  [
    'a copied chat and 600,000 signs',
    `Ann, [05.03.2024 09:00]\nhello\n\nBen, [05.03.2024 09:01]\nhello\n${'\n#'.repeat(600_000)}`,
  ],
])('goes on answering while a file of %s is looked through', async (_name, text) => {
  const { upload } = await call('upload_import', {
    user_id: 'ann',
    name: 'chat.txt',
    data: Buffer.from(text).toString('base64'),
  });
  let isOver = false;
  const preview = call('preview_import', { user_id: 'ann', upload }).finally(() => {
    isOver = true;
  });
  let answers = 0;
  // Each question is asked after the one before was answered.
  while (!isOver) {
    const { ok } = await fetch(`${address}/health`);
    if (ok && !isOver) answers += 1;
  }
  expect(await preview).toMatchObject({ conversations: 1, fault_count: 0 });
  expect(answers).toBeGreaterThan(2);
});
