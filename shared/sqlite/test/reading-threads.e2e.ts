import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isContextloomError } from '@contextloom/contracts';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createReadingThreads, type ReadingThreads } from '../src/threads/reading-threads.ts';

interface Task {
  readonly name: 'echo' | 'sleep' | 'dieTheFirst' | 'refuse';
  readonly argument?: unknown;
}

const file = new URL('./fixtures/threads-worker.mjs', import.meta.url);
const program = fileURLToPath(new URL('./fixtures/idle-threads.mjs', import.meta.url));
const SIZE = 2;

let threads: ReadingThreads<Task> | undefined;
afterEach(() => threads?.close());

function open(): ReadingThreads<Task> {
  threads = createReadingThreads<Task>({ file, workerData: { counters: new SharedArrayBuffer(4) }, size: SIZE });
  return threads;
}

const echo = (argument: unknown): Task => ({ name: 'echo', argument });

describe('reading threads', () => {
  it('answer with plain data, whatever it holds', async () => {
    const value = { list: [1, null, '茶'], floats: new Float32Array([1, 2]) };
    expect(await open().run(echo(value))).toEqual(value);
  });

  it('answer many tasks at once, in no more threads than there may be', async () => {
    const { run } = open();
    const ids = await Promise.all(Array.from({ length: 100 }, () => run({ name: 'sleep', argument: 1 })));
    expect(new Set(ids).size).toBe(SIZE);
  });

  it('reject with what the task threw', async () => {
    const error = await open()
      .run({ name: 'refuse' })
      .catch((thrown: unknown) => thrown);
    expect(isContextloomError(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'invalid',
      message: 'no such thing',
      field: 'a.b',
      cause: { message: 'underneath' },
    });
  });

  it('refuse what cannot be sent, and go on', async () => {
    const { run } = open();
    for (let round = 0; round < 2 * SIZE; round += 1) await expect(run(echo(() => 1))).rejects.toThrow();
    expect(await run(echo(1))).toBe(1);
  });

  it('give a task to another thread when one died over it', async () => {
    expect(await open().run({ name: 'dieTheFirst', argument: 1 })).toBe('alive');
  });

  it('reject a task over which two died, as unavailable, and answer the others', async () => {
    const { run } = open();
    const tasks = [run({ name: 'dieTheFirst', argument: 2 }), ...Array.from({ length: 10 }, (_, at) => run(echo(at)))];
    const endings = await Promise.allSettled(tasks);
    expect(endings[0]).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    expect(endings.slice(1).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(await run({ name: 'dieTheFirst', argument: 2 })).toBe('alive');
  });

  it('let tasks in hand end when they are closed, and refuse the others', async () => {
    const { run, close } = open();
    await Promise.all(Array.from({ length: SIZE }, () => run({ name: 'sleep', argument: 20 })));
    const inHand = Array.from({ length: SIZE }, () => run({ name: 'sleep', argument: 100 }));
    const waiting = run(echo(1));
    const refused = expect(waiting).rejects.toMatchObject({ code: 'unavailable', message: 'the store is closed' });
    await new Promise((resolve) => setImmediate(resolve));
    await close();
    await refused;
    expect(await Promise.all(inHand)).toHaveLength(SIZE);
    await expect(run(echo(1))).rejects.toMatchObject({ code: 'unavailable', message: 'the store is closed' });
    await close();
  });

  it('say that their file was not built, to every task', async () => {
    threads = createReadingThreads({ file: new URL('./no-such-file.js', import.meta.url), workerData: {}, size: 1 });
    const refusal = { code: 'unavailable', message: expect.stringContaining('npm run build') };
    await expect(threads.run(echo(1))).rejects.toMatchObject(refusal);
    await expect(threads.run(echo(1))).rejects.toMatchObject(refusal);
  });

  it('keep a process alive for an answer, and no longer', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 20_000 });
    expect(stdout).toBe('answered');
  });
});
