import { setTimeout as sleep } from 'node:timers/promises';
import { ContextloomError } from '@contextloom/contracts';
import { silentLog } from '@contextloom/runtime';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DocumentStore } from '../src/domain/store.ts';
import { createRecoveringStore, type RecoveringStoreOptions } from '../src/store/chroma/connection/recovering-store.ts';
import { openSqliteStore } from '../src/store/sqlite/store.ts';
import { describeDocumentStore } from './store.contract.ts';
import { embedder, everyone, openTemporaryStore, type TemporaryStore, toDocument, toWrites } from './support/stores.ts';

const identity = embedder.identity;
const away = (): never => {
  throw new ContextloomError('unavailable', 'the far store is away');
};

/** A real store on a line that a test cuts, silences and mends. */
class Line {
  state: 'up' | 'down' | 'silent' = 'up';
  opened = 0;
  closed = 0;
  private readonly file: string;
  constructor(file: string) {
    this.file = file;
  }
  private async pass<T>(answer: T): Promise<T> {
    if (this.state === 'down') away();
    return this.state === 'silent' ? new Promise<T>(() => undefined) : answer;
  }
  readonly open = async (): Promise<DocumentStore> => {
    this.opened += 1;
    await this.pass(undefined);
    const store = await openSqliteStore({ file: this.file, embedder: identity });
    const close = (): Promise<void> => {
      this.closed += 1;
      return store.close();
    };
    const cut = (method: keyof DocumentStore): unknown => {
      const own = store[method];
      if (typeof own !== 'function') return own;
      return async (...args: unknown[]) => this.pass(await Reflect.apply(own, store, args));
    };
    return new Proxy(store, { get: (_, name) => (name === 'close' ? close : cut(name as keyof DocumentStore)) });
  };
}

const names = { kind: 'chroma', name: 'the far store', log: silentLog } as const;
const times = { at: '2024-05-01T00:00:00.000Z', keepOwners: false };

describeDocumentStore('behind a line', () =>
  openTemporaryStore(async (file) =>
    createRecoveringStore({ ...names, open: () => openSqliteStore({ file, embedder: identity }) }),
  ),
);

describe('a store that recovers', () => {
  let line: Line;
  let options: RecoveringStoreOptions;
  let temporary: TemporaryStore;
  let store: DocumentStore;
  const lines: string[] = [];
  const note = (_fields: object, message: string): void => void lines.push(message);

  beforeEach(async () => {
    lines.length = 0;
    temporary = await openTemporaryStore(async (file) => {
      line = new Line(file);
      options = { ...names, open: line.open, log: { info: note, warn: note }, openWaitMs: 50, callMs: 50, graceMs: 50 };
      return createRecoveringStore(options);
    });
    store = temporary.store;
  });
  afterEach(async () => {
    line.state = 'up';
    await temporary.remove();
  });

  it('is opened once, by the first calls', async () => {
    expect(line.opened).toBe(0);
    await Promise.all([store.check(), store.read(['a'], everyone), store.check()]);
    await store.check();
    expect(line.opened).toBe(1);
  });

  it('says the reason while it is away from the start, and works as soon as it comes', async () => {
    line.state = 'down';
    for (let at = 0; at < 3; at += 1) {
      await expect(store.check()).rejects.toMatchObject({ code: 'unavailable', message: 'the far store is away' });
    }
    expect(line.opened).toBe(3);
    line.state = 'up';
    await store.check();
    expect(lines).toEqual(['the far store cannot be used; every call tries again', 'the far store can be used again']);
  });

  it('loses nothing that it acknowledged when it goes and comes back', async () => {
    await store.put(await toWrites(toDocument('kept')), times);
    line.state = 'down';
    await expect(store.put(await toWrites(toDocument('refused')), times)).rejects.toMatchObject({
      code: 'unavailable',
    });
    await expect(store.check()).rejects.toMatchObject({ code: 'unavailable' });
    line.state = 'up';
    expect(await store.read(['kept'], everyone)).toMatchObject([{ document: { id: 'kept' } }]);
    expect([line.opened, line.closed]).toEqual([3, 1]);
  });

  it('says of a write without an answer that its effect is not known', async () => {
    await store.check();
    line.state = 'silent';
    const write = store.put(await toWrites(toDocument('a')), times);
    await expect(write).rejects.toMatchObject({
      code: 'unavailable',
      message: 'the far store did not answer within 0.05 s; whether the change took effect is not known',
    });
    await expect(store.check()).rejects.toMatchObject({ message: 'the far store did not answer within 0.05 s' });
  });

  it('does not wait for ever for an opening that hangs, and takes a new one then', async () => {
    const patient = createRecoveringStore({ ...options, openMs: 100 });
    line.state = 'silent';
    await expect(patient.check()).rejects.toMatchObject({ message: 'the far store did not answer within 0.05 s' });
    await expect(patient.check()).rejects.toMatchObject({ code: 'unavailable' });
    line.state = 'up';
    for (let tries = 0; tries < 50; tries += 1) {
      const isUp = await patient.check().then(
        () => true,
        () => false,
      );
      if (isUp) break;
    }
    await patient.check();
    await patient.close();
  });

  it('keeps the store when a call is refused for another reason', async () => {
    const patient = createRecoveringStore({ ...options, callMs: 30_000, openWaitMs: 30_000 });
    await patient.check();
    await expect(
      patient.rebuild(async () => Promise.reject(new ContextloomError('invalid', 'no'))),
    ).resolves.toMatchObject({ documents: 0 });
    await patient.put(await toWrites(toDocument('a')), times);
    const refused = patient.rebuild(async () => Promise.reject(new ContextloomError('invalid', 'no')));
    await expect(refused).rejects.toMatchObject({ code: 'invalid' });
    await patient.check();
    expect(line.opened).toBe(1);
    await patient.close();
  });

  it('answers nothing once it is closed, and opens nothing', async () => {
    await store.check();
    await store.close();
    await expect(store.check()).rejects.toMatchObject({ message: 'the store is closed' });
    expect([line.opened, line.closed]).toEqual([1, 1]);
  });

  it('lets what is under way come to its end when another call says that the store is gone', async () => {
    let closed = 0;
    const open = async (): Promise<DocumentStore> => {
      const real = await line.open();
      const gone = new ContextloomError('unavailable', 'gone');
      const put: DocumentStore['put'] = async (...given) => {
        await sleep(100);
        expect(closed).toBe(0);
        return real.put(...given);
      };
      const close = async (): Promise<void> => {
        closed += 1;
        await real.close();
      };
      return { ...real, put, close, stats: () => Promise.reject(gone) };
    };
    const patient = createRecoveringStore({ ...options, open, callMs: 5_000, openWaitMs: 5_000 });
    await patient.check();
    const writing = patient.put(await toWrites(toDocument('slow')), times);
    await expect(patient.stats({ kind: 'everyone' })).rejects.toMatchObject({ message: 'gone' });
    expect(await writing).toEqual({ kind: 'stored' });
    await patient.close();
    expect(closed).toBe(line.opened);
  });

  it('cuts off what hangs when it is closed, in a store that was lost before as well', async () => {
    const hanging = async (): Promise<DocumentStore> => {
      const real = await line.open();
      return { ...real, flush: () => new Promise(() => undefined) };
    };
    const patient = createRecoveringStore({ ...options, open: hanging, callMs: 1_000, openWaitMs: 5_000 });
    const hangs = Promise.allSettled([patient.flush(), patient.flush()]);
    await patient.check();
    await patient.close();
    expect(line.closed).toBe(1);
    const late = { status: 'rejected', reason: { code: 'unavailable' } };
    expect(await hangs).toMatchObject([late, late]);
  });
});
