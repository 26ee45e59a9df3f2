import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isContextloomError } from '@contextloom/contracts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createWorkerPool, type WorkerPool } from '../src/index.ts';

interface Methods {
  echo(value: unknown): unknown;
  sleep(milliseconds: number): number;
  dieTheFirst(times: number): string;
  refuse(): void;
  break(): void;
}

const file = new URL('./fixtures/worker.mjs', import.meta.url);
const program = fileURLToPath(new URL('./fixtures/idle-pool.mjs', import.meta.url));
const SIZE = 2;

let pool: WorkerPool<Methods> | undefined;
afterEach(() => pool?.close());

function open({ failsToOpen = false } = {}) {
  const counters = new SharedArrayBuffer(12);
  pool = createWorkerPool<Methods>({ file, workerData: { counters, failsToOpen }, size: SIZE });
  return { pool, closings: () => new Int32Array(counters)[2] };
}

describe('a pool of worker threads', () => {
  it('answers with plain data, whatever it holds', async () => {
    const value = { list: [1, null, '茶'], floats: new Float32Array([1, 2]) };
    expect(await open().pool.call('echo', value)).toEqual(value);
  });

  it('answers many calls at once, in no more threads than it may have', async () => {
    const { pool } = open();
    const threads = await Promise.all(Array.from({ length: 100 }, () => pool.call('sleep', 1)));
    expect(new Set(threads).size).toBe(SIZE);
  });

  it('rejects with what the call threw', async () => {
    const { pool } = open();
    const error = await pool.call('refuse').catch((thrown: unknown) => thrown);
    expect(isContextloomError(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'invalid',
      message: 'no such thing',
      field: 'a.b',
      cause: { message: 'underneath' },
    });
  });

  it('rejects as internal with what no one foresaw, and says nothing of it', async () => {
    const { pool } = open();
    const error = await pool.call('break').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'internal', message: 'reading the store failed' });
    expect(error).toMatchObject({ cause: { message: expect.stringContaining('undefined') } });
    expect(await pool.call('echo', 1)).toBe(1);
  });

  it('refuses what cannot be sent, and goes on', async () => {
    const { pool } = open();
    for (let round = 0; round < 2 * SIZE; round += 1) await expect(pool.call('echo', () => 1)).rejects.toThrow();
    expect(await pool.call('echo', 1)).toBe(1);
  });

  it('answers with why a thread could not open, and opens at the next call', async () => {
    const { pool } = open({ failsToOpen: true });
    await expect(pool.call('echo', 1)).rejects.toMatchObject({ code: 'unavailable', message: 'not yet' });
    expect(await pool.call('echo', 1)).toBe(1);
  });

  it('gives a call to another thread when one died over it', async () => {
    expect(await open().pool.call('dieTheFirst', 1)).toBe('alive');
  });

  it('rejects a call over which two died, as unavailable, and answers the others', async () => {
    const { pool } = open();
    const calls = [pool.call('dieTheFirst', 2), ...Array.from({ length: 10 }, (_, at) => pool.call('echo', at))];
    const endings = await Promise.allSettled(calls);
    expect(endings[0]).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    expect(endings.slice(1).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await pool.call('dieTheFirst', 2)).toBe('alive');
  });

  it('lets calls in hand end when it is closed, refuses the others, and closes what its threads had open', async () => {
    const { pool, closings } = open();
    const inHand = Array.from({ length: SIZE }, () => pool.call('sleep', 100));
    const waiting = pool.call('echo', 1);
    const refused = expect(waiting).rejects.toMatchObject({ code: 'unavailable', message: 'the store is closed' });
    await new Promise((resolve) => setImmediate(resolve));
    await pool.close();
    await refused;
    expect(await Promise.all(inHand)).toHaveLength(SIZE);
    expect(closings()).toBe(SIZE);
    await expect(pool.call('echo', 1)).rejects.toMatchObject({ code: 'unavailable' });
    await pool.close();
  });

  it('says that its file was not built, to every call', async () => {
    const missing = new URL('./no-such-file.js', import.meta.url);
    pool = createWorkerPool<Methods>({ file: missing, workerData: {}, size: 1 });
    const refusal = { code: 'unavailable', message: expect.stringContaining('npm run build') };
    await expect(pool.call('echo', 1)).rejects.toMatchObject(refusal);
    await expect(pool.call('echo', 1)).rejects.toMatchObject(refusal);
  });

  it('keeps a process alive for an answer, and no longer', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 20_000 });
    expect(stdout).toBe('answered');
  });
});
