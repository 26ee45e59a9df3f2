import { ContextloomError } from '@contextloom/contracts';
import { describe, expect, it } from '@jest/globals';
import { createStoreHealth } from '../../src/domain/documents/store-health.ts';

function createScene(check: () => Promise<void>) {
  const scene = {
    now: Date.parse('2024-05-01T00:00:00Z'),
    asked: 0,
    rebuilding: undefined as { documents: number; done: number } | undefined,
  };
  const counted = (): Promise<void> => {
    scene.asked += 1;
    return check();
  };
  const store = { kind: 'chroma', check: counted, upgradeProgress: () => scene.rebuilding } as const;
  const health = createStoreHealth({ store, clock: () => new Date(scene.now), deadlineMs: 20 });
  return { scene, health };
}

describe('the health of a store', () => {
  it('is running while the store answers, and gives the reason when it does not', async () => {
    const answers = [Promise.resolve(), Promise.reject(new ContextloomError('unavailable', 'the server is away'))];
    const { scene, health } = createScene(() => answers.shift() ?? Promise.resolve());
    expect(await health()).toEqual({ kind: 'chroma', status: 'running' });
    scene.now += 1_000;
    expect(await health()).toEqual({ kind: 'chroma', status: 'unavailable', reason: 'the server is away' });
    scene.now += 1_000;
    expect(await health()).toEqual({ kind: 'chroma', status: 'running' });
  });

  it('tells how far an index is that is made again after an update', async () => {
    const { scene, health } = createScene(() => Promise.resolve());
    scene.rebuilding = { documents: 200, done: 64 };
    const rebuilding = { documents: 200, done: 64 };
    expect(await health()).toEqual({ kind: 'chroma', status: 'running', rebuilding });
  });

  it('says that a store which hangs does not answer', async () => {
    const { health } = createScene(() => new Promise(() => undefined));
    const reason = 'the store did not answer within 0.02 s';
    expect(await health()).toEqual({ kind: 'chroma', status: 'unavailable', reason });
  });

  it('asks the store once for all who ask within a second, and again after it', async () => {
    const { scene, health } = createScene(() => Promise.resolve());
    await Promise.all([health(), health(), health()]);
    scene.now += 999;
    await health();
    expect(scene.asked).toBe(1);
    scene.now += 1;
    await health();
    expect(scene.asked).toBe(2);
  });

  it('asks again when the clock was set back', async () => {
    const { scene, health } = createScene(() => Promise.resolve());
    await health();
    scene.now -= 3_600_000;
    await health();
    expect(scene.asked).toBe(2);
  });
});
