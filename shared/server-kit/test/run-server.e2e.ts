import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connectOverHttp } from '@contextloom/testing';
import { describe, expect, it } from '@jest/globals';
import { listen } from '../src/http/listen.ts';

const toPath = (name: string): string => fileURLToPath(new URL(`./fixtures/${name}.mjs`, import.meta.url));

function start(
  args: readonly string[],
  env: Record<string, string> = {},
  server = 'minimal-server',
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [toPath(server), ...args], { env: { PATH: process.env['PATH'], ...env } });
}

async function finish(child: ChildProcessWithoutNullStreams) {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, stdout, stderr };
}

function untilListening(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      const url = /"url":"([^"]+)"/.exec(String(chunk))?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once('close', () => reject(new Error('the server ended before it listened')));
  });
}

/** What a child has written to standard error so far. */
function collect(child: ChildProcessWithoutNullStreams): () => string {
  let written = '';
  child.stderr.on('data', (chunk) => {
    written += chunk;
  });
  return () => written;
}

function untilWritten(child: ChildProcessWithoutNullStreams, text: string): Promise<void> {
  const written = collect(child);
  return new Promise((resolve) => {
    child.stderr.on('data', () => written().includes(text) && resolve());
  });
}

describe('the outermost layer of a server', () => {
  it('prints help, version and configuration with sources and hidden secrets', async () => {
    const help = await finish(start(['--help']));
    expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('MINIMAL_SIZE')]);
    expect(help.stdout).toContain('--check');
    expect(await finish(start(['--version']))).toMatchObject({ code: 0, stdout: '9.9.9\n' });
    const { stdout } = await finish(start(['--print-config'], { MINIMAL_SIZE: '5', MINIMAL_KEY: 'k' }));
    expect(JSON.parse(stdout)).toMatchObject({
      size: { value: 5, source: { env: 'MINIMAL_SIZE' } },
      key: { value: '(hidden)' },
      logLevel: { value: 'info', source: 'default' },
    });
  });

  it('with --check prints its settings and what it found, serves nothing, and ends with code 0', async () => {
    const { code, stdout, stderr } = await finish(start(['--check', '--http', '0'], { MINIMAL_SIZE: '5' }));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual({
      settings: JSON.parse((await finish(start(['--print-config'], { MINIMAL_SIZE: '5' }))).stdout),
      checks: [
        { name: 'size', status: 'ok', detail: 'the size is 5' },
        { name: 'key', status: 'off', detail: 'no key is set' },
      ],
    });
  });

  it('ends with code 1 when a check failed, and hides secrets', async () => {
    const { code, stdout } = await finish(start(['--check'], { MINIMAL_KEY: 'sesame' }));
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      settings: { key: { value: '(hidden)' } },
      checks: [{ status: 'ok' }, { name: 'key', status: 'failed', detail: expect.stringContaining('LOG_LEVEL=debug') }],
    });
    expect(stdout).not.toContain('sesame');
  });

  it('names a wrong setting with --check too, and ends with code 2', async () => {
    const { code, stdout, stderr } = await finish(start(['--check'], { MINIMAL_SIZE: '0' }));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('MINIMAL_SIZE must be at least 1');
  });

  it('names a wrong flag or setting and ends with code 2', async () => {
    const flag = await finish(start(['--colour']));
    expect([flag.code, flag.stderr]).toEqual([2, expect.stringContaining('--colour')]);
    const value = await finish(start([], { MINIMAL_SIZE: '0' }));
    expect([value.code, value.stderr]).toEqual([2, expect.stringContaining('MINIMAL_SIZE must be at least 1')]);
    expect(await finish(start(['--http', 'x']))).toMatchObject({ code: 2 });
    expect(await finish(start(['--http']))).toMatchObject({ code: 2 });
  });

  it('tells a client that starts it why it cannot serve', async () => {
    const child = start([], { MINIMAL_SIZE: '0' });
    child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n');
    const { code, stdout } = await finish(child);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, error: { message: expect.stringContaining('MINIMAL_SIZE') } });
  });

  it('outlives a promise that failed with nobody to hear of it, and logs it', async () => {
    const child = start(['--http', '0']);
    const logged = untilWritten(child, 'slipped');
    const client = await connectOverHttp(new URL(await untilListening(child)));
    expect(await client.callTool('slip')).toMatchObject({ structured: { text: 'answered' } });
    await logged;
    expect(await client.callTool('echo', { text: 'here' })).toMatchObject({ structured: { text: 'here' } });
    await client.close();
    child.kill('SIGTERM');
    expect((await finish(child)).code).toBe(0);
  });

  it('ends when standard input ends, after closing what it opened', async () => {
    const child = start([]);
    child.stdin.end();
    expect(await finish(child)).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('closed') });
  });

  it('refuses a line that is not UTF-8 or too long under the id of its request, logs it, and reads the next', async () => {
    const child = start([]);
    const ended = finish(child);
    const answers = createInterface(child.stdout)[Symbol.asyncIterator]();
    const ask = async (...line: readonly (string | Uint8Array)[]) => {
      for (const part of [...line, '\n']) child.stdin.write(part);
      return JSON.parse(String((await answers.next()).value));
    };
    const ping = (id: number) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' });
    const zhang = Uint8Array.of(0xd5, 0xc5, 0xc8, 0xfd);
    const echo = '{"method":"tools/call","params":{"name":"echo","arguments":{"text":"';
    expect(await ask(echo, zhang, '"}},"jsonrpc":"2.0","id":7}')).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32_700, message: 'the message is not valid UTF-8' },
    });
    expect(await ask(ping(8))).toMatchObject({ id: 8, result: {} });
    expect(await ask(echo, 'x'.repeat(30 * 1024 * 1024), '"}},"jsonrpc":"2.0","id":"nine"}')).toEqual({
      jsonrpc: '2.0',
      id: 'nine',
      error: { code: -32_600, message: 'the message must be at most 17825792 bytes' },
    });
    expect(await ask(ping(10))).toMatchObject({ id: 10, result: {} });
    child.stdin.end();
    const { code, stderr } = await ended;
    expect(code).toBe(0);
    expect(stderr.match(/MCP message refused/g)).toHaveLength(2);
  });

  it('answers the last line of a pipe that ends at once', async () => {
    const child = start([]);
    child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
    expect(await finish(child)).toMatchObject({ code: 0, stdout: '{"result":{},"jsonrpc":"2.0","id":1}\n' });
  });

  it('answers what is under way when standard input ends, and ends then', async () => {
    const child = start([]);
    child.stdin.end('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"linger","arguments":{}}}\n');
    const { code, stdout, stderr } = await finish(child);
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { structuredContent: { text: 'answered' } } });
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('closed') });
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('serves HTTP until %s', async (signal) => {
    const child = start(['--http', '0']);
    const url = await untilListening(child);
    const health = await fetch(new URL('/health', url));
    expect(await health.json()).toEqual({ status: 'running' });
    child.kill(signal);
    expect((await finish(child)).code).toBe(0);
  });

  it.each(['2025-11-25', '2026-07-28'])(
    'answers a call under way over HTTP before SIGTERM ends it (%s)',
    async (era) => {
      const child = start(['--http', '0']);
      const client = await connectOverHttp(new URL(await untilListening(child)), era);
      const lingering = untilWritten(child, 'lingering');
      const call = client.callTool('linger');
      await lingering;
      child.kill('SIGTERM');
      child.stdin.end();
      expect(await call).toMatchObject({ structured: { text: 'answered' } });
      await client.close();
      expect((await finish(child)).code).toBe(0);
    },
  );

  it('ends at the second SIGTERM, with code 130, while a call hangs', async () => {
    const child = start(['--http', '0']);
    const client = await connectOverHttp(new URL(await untilListening(child)));
    const ended = finish(child);
    const hanging = untilWritten(child, 'hanging');
    const call = client.callTool('hang').catch(() => undefined);
    await hanging;
    const again = setInterval(() => child.kill('SIGTERM'), 100);
    expect((await ended).code).toBe(130);
    clearInterval(again);
    await client.close();
    await call;
  });

  it.each([
    ['0.0.0.0', true],
    ['127.0.0.1', false],
  ])('warns when others can reach it: %s', async (host, isWarned) => {
    const child = start(['--http', '0', '--host', host, '--insecure']);
    const written = collect(child);
    await untilListening(child);
    child.kill();
    await finish(child);
    expect(written().includes('nobody is authenticated')).toBe(isWarned);
  });

  it.each([['--help'], ['--print-config'], ['--check']])(
    'ends without a stack trace when nobody reads what %s prints',
    async (flag) => {
      const child = start([flag]);
      child.stdout.destroy();
      const { code, stderr } = await finish(child);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    },
  );

  it('serves its own routes next to /mcp, at its usual address when --http names no port', async () => {
    const child = start(['--http', '--host', 'localhost'], {}, 'counting-server');
    const url = await untilListening(child);
    expect(url).toMatch(/^http:\/\/localhost:/);
    const client = await connectOverHttp(new URL(url));
    await client.callTool('count');
    expect(await (await fetch(new URL('/count', url))).json()).toEqual({ count: 1 });
    expect(await (await fetch(new URL('/', url))).text()).toContain('<h1>Counting</h1>');
    await client.close();
    child.kill();
    expect((await finish(child)).code).toBe(0);
  });

  it('names a port in use and ends with code 1', async () => {
    const taken = await listen(() => undefined, { host: '127.0.0.1', port: 0 });
    const { code, stderr } = await finish(start(['--http', String(taken.port)]));
    await taken.close();
    expect([code, stderr]).toEqual([1, expect.stringContaining(`port ${taken.port} on 127.0.0.1 is in use`)]);
  });
});
