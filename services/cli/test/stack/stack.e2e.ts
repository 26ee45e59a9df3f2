import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CliContext } from '../../src/context.ts';
import { findPort, toBaseUrl } from '../../src/stack/ports.ts';
import { createStack, type Stack } from '../../src/stack/stack.ts';
import { isAlive } from '../fixtures/processes.ts';

const script = fileURLToPath(new URL('../fixtures/service.mjs', import.meta.url));

let ending: AbortController;
let stderr: string;
let stack: Stack;

beforeEach(() => {
  ending = new AbortController();
  stderr = '';
  const context: CliContext = {
    stdout: { write: () => true },
    stderr: {
      write: (text) => {
        stderr += text;
      },
    },
    env: process.env,
    cwd: process.cwd(),
    execPath: process.execPath,
    signal: ending.signal,
    clock: () => new Date(),
    now: () => performance.now(),
  };
  stack = createStack({ context, verbose: false, graceMs: 300 });
});

afterEach(() => stack.stop());

async function define(behaviour: string) {
  const port = await findPort({ host: '127.0.0.1', port: 0, changeWith: '--port' });
  return { name: behaviour, script, args: [behaviour, String(port)], url: toBaseUrl('127.0.0.1', port) };
}

describe('a stack of services', () => {
  it('starts a service and waits until it is healthy', async () => {
    const { url, pid } = await stack.start(await define('healthy'));
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(isAlive(pid)).toBe(true);
  });

  it('ends every service, also one that ignores SIGTERM', async () => {
    const services = [await stack.start(await define('healthy')), await stack.start(await define('stubborn'))];
    await stack.stop();
    expect(services.map(({ pid }) => isAlive(pid))).toEqual([false, false]);
  });

  it('says how a service ended that was never ready, with its own last words', async () => {
    await expect(stack.start(await define('crashing'))).rejects.toMatchObject({
      code: 'unavailable',
      message: 'crashing ended with exit code 3: error: the disk is full',
    });
  });

  it('names a service once that tells what is wrong with its settings', async () => {
    const message = 'misconfigured ended with exit code 2: PORT must be a number';
    await expect(stack.start(await define('misconfigured'))).rejects.toMatchObject({ message });
    expect(stderr).toBe('misconfigured: PORT must be a number\n');
  });

  it('stops waiting for a service that is never ready when the user interrupts', async () => {
    const starting = stack.start(await define('never-ready'));
    ending.abort();
    await expect(starting).rejects.toMatchObject({ message: 'interrupted' });
  });

  it('resolves when the user interrupts', async () => {
    await stack.start(await define('healthy'));
    const running = stack.untilInterrupted();
    ending.abort();
    await expect(running).resolves.toBeUndefined();
  });

  it('fails when a service dies, and says of what', async () => {
    const { pid } = await stack.start(await define('healthy'));
    const running = stack.untilInterrupted();
    process.kill(pid ?? 0, 'SIGUSR2');
    await expect(running).rejects.toMatchObject({
      message: 'healthy ended with exit code 1: Error: a wire came loose; the rest was stopped',
    });
  });

  it('shows warnings of services, not their everyday lines', async () => {
    const { pid, ended } = await stack.start(await define('healthy'));
    process.kill(pid ?? 0, 'SIGUSR2');
    await ended;
    expect(stderr).toContain('healthy: Error: a wire came loose\n');
    expect(stderr).not.toContain('listening');
  });
});
