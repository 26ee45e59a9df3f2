import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { tryFileLock } from '../../src/files/file-lock.ts';
import { makeFolder, removeFolder } from '../temporary-folder.ts';
import { type Note, type Notes, openNotes, searchNaively, toFound } from './notes.ts';

const notes: readonly Note[] = Array.from({ length: 200 }, (_, at) => ({
  id: `n-${String(at).padStart(3, '0')}`,
  owner: 'ann',
  text: `tea number ${at}`,
}));

let folder: string;
const opened: Notes[] = [];
beforeEach(async () => {
  folder = makeFolder();
  const before = open({});
  await before.index.claim();
  await before.put(notes);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  removeFolder(folder);
});

function open(options: Parameters<typeof openNotes>[1]): Notes {
  const one = openNotes(folder, options);
  opened.push(one);
  return one;
}
const openNewer = (): Notes => open({ fingerprint: 'letters 2', earlier: ['letters 1'] });

/** Derives the entries, and counts the rows over all who share the counter. */
const counting = (one: Notes, counter: { rows: number }) => async (rows: readonly number[]) => {
  counter.rows += rows.length;
  return one.derive(rows);
};

/** A gate that a call stands at until it is opened. */
function createGate() {
  let pass = (): void => undefined;
  let arrive = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    pass = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    pass: () => pass(),
    arrived,
    stand: () => {
      arrive();
      return opened;
    },
  };
}

describe('the upgrade of a hybrid index', () => {
  it('finds all by the earlier index until the new one is whole, with what is written meanwhile', async () => {
    const newer = openNewer();
    const gate = createGate();
    const upgrade = newer.index.upgrade({
      derive: async (rows) => {
        await gate.stand();
        return newer.derive(rows);
      },
    });
    await gate.arrived;
    const added = { id: 'n-new', owner: 'ann', text: 'tea of the meantime' };
    await newer.put([added]);
    expect(newer.index.isOwn()).toBe(false);
    const all = [...notes, added];
    expect(toFound(await newer.search('tea 7', undefined, 300))).toEqual(searchNaively(all, 'tea 7', undefined, 300));
    gate.pass();
    expect(await upgrade).toBe('complete');
    expect(newer.index.isOwn()).toBe(true);
    expect(toFound(await newer.search('tea 7', undefined, 300))).toEqual(searchNaively(all, 'tea 7', undefined, 300));
  });

  it('is made once by two at the same time, and both have it then', async () => {
    const [left, right] = [openNewer(), openNewer()];
    const counter = { rows: 0 };
    const outcomes = await Promise.all(
      [left, right].map((one) => one.index.upgrade({ derive: counting(one, counter) })),
    );
    expect(outcomes).toEqual(['complete', 'complete']);
    expect(counter.rows).toBe(notes.length);
    for (const one of [left, right]) expect((await one.search('tea', undefined, 300)).byWords).toHaveLength(200);
  });

  it('goes on where another was cut off, and does nothing where it is done', async () => {
    const counter = { rows: 0 };
    const first = openNewer();
    const controller = new AbortController();
    const cut = await first.index.upgrade({
      derive: counting(first, counter),
      signal: controller.signal,
      onProgress: ({ done }) => done >= 64 && controller.abort(),
    });
    expect(cut).toBe('interrupted');
    const second = openNewer();
    expect(await second.index.upgrade({ derive: counting(second, counter) })).toBe('complete');
    expect(await second.index.upgrade({ derive: counting(second, counter) })).toBe('complete');
    expect(counter.rows).toBe(notes.length);
  });

  it('lets a rebuild that a person asks for go on in its place', async () => {
    const [server, person] = [openNewer(), openNewer()];
    const gate = createGate();
    const upgrade = server.index.upgrade({
      derive: async (rows) => {
        await gate.stand();
        return server.derive(rows);
      },
    });
    await gate.arrived;
    const rebuild = person.index.rebuild({ derive: person.derive });
    gate.pass();
    expect(await rebuild).toEqual({ kind: 'complete', rows: 200 });
    expect(await upgrade).toBe('complete');
  });

  it('leaves no lock behind, and refuses an index that no earlier version named', async () => {
    const newer = openNewer();
    await newer.index.upgrade({ derive: newer.derive });
    expect(existsSync(join(folder, 'notes.sqlite-note-rebuild'))).toBe(false);
    const stranger = open({ fingerprint: 'letters 3', earlier: ['letters 1'] });
    await expect(stranger.search('tea')).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('the lock of a file', () => {
  it('is one caller’s until it is given back', () => {
    const file = join(folder, 'lock');
    const release = tryFileLock(file);
    expect(release).toBeDefined();
    expect(tryFileLock(file)).toBeUndefined();
    release?.();
    const again = tryFileLock(file);
    expect(again).toBeDefined();
    again?.();
  });
});
