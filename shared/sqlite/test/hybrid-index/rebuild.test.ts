import { tokenize } from '@contextloom/retrieval';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeFolder, removeFolder } from '../temporary-folder.ts';
import { embed, type Note, type Notes, openNotes, searchNaively, toFound } from './notes.ts';

const notes: readonly Note[] = Array.from({ length: 200 }, (_, at) => ({
  id: `n-${String(at).padStart(3, '0')}`,
  owner: 'ann',
  text: `tea number ${at}`,
}));

let folder: string;
const opened: Notes[] = [];
beforeEach(() => {
  folder = makeFolder();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((one) => one.close()));
  removeFolder(folder);
});

function open(options: Parameters<typeof openNotes>[1] = {}): Notes {
  const one = openNotes(folder, options);
  opened.push(one);
  return one;
}

async function openFilled(): Promise<Notes> {
  const one = open();
  await one.index.claim();
  await one.put(notes);
  return one;
}

/** Derives entries as another version of a program does: its tokens end differently. */
const deriveOther = (one: Notes) => async (rows: readonly number[]) =>
  (await one.derive(rows)).map(({ row }) => ({ row, entry: one.index.toEntry(tokenize('other'), embed('io')) }));

/** Interrupts a rebuild after so many batches. */
function interruptAfter(batches: number) {
  const controller = new AbortController();
  let left = batches;
  const onProgress = (): void => {
    if (left === 0) controller.abort();
    left -= 1;
  };
  return { signal: controller.signal, onProgress };
}

describe('the rebuild of a hybrid index', () => {
  it('leaves the old index whole and found when it is interrupted, and says that it is unfinished', async () => {
    const old = await openFilled();
    const newer = open({ fingerprint: 'letters 2' });
    const interrupted = await newer.index.rebuild({ derive: deriveOther(newer), ...interruptAfter(2) });
    expect(interrupted).toMatchObject({ kind: 'interrupted', rows: 128 });
    expect((await old.search('tea', undefined, 300)).byWords).toHaveLength(200);
    expect(toFound(await old.search('tea 7', undefined, 300))).toEqual(searchNaively(notes, 'tea 7', undefined, 300));
    expect(old.index.state()).toBe('own');
    expect(newer.index.state()).toBe('unfinished');
  });

  it('goes on where it was interrupted, but for rows that changed, and then is swapped for the old at once', async () => {
    const old = await openFilled();
    const newer = open({ fingerprint: 'letters 2' });
    await newer.index.rebuild({ derive: newer.derive, ...interruptAfter(2) });
    await old.put([{ id: 'n-003', owner: 'ann', text: 'changed meanwhile' }]);
    await old.remove('n-004');
    const derived: number[] = [];
    const derive = (rows: readonly number[]) => {
      derived.push(...rows);
      return newer.derive(rows);
    };
    expect(await newer.index.rebuild({ derive, resume: true })).toEqual({ kind: 'complete', rows: 199 });
    expect(derived).toHaveLength(200 - 128 + 1);
    expect(newer.index.state()).toBe('own');
    expect((await newer.search('changed', undefined, 5)).byWords.map(({ key }) => key)).toEqual(['n-003']);
    expect((await newer.search('tea', undefined, 300)).byWords).toHaveLength(198);
    await expect(old.search('tea')).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('takes up what changes while it derives, and what comes then', async () => {
    const one = await openFilled();
    let batches = 0;
    const derive = async (rows: readonly number[]) => {
      const derived = await one.derive(rows);
      batches += 1;
      if (batches === 1) {
        await one.put([
          { id: 'n-001', owner: 'ann', text: 'changed meanwhile' },
          { id: 'new', owner: 'ann', text: 'new meanwhile' },
        ]);
        await one.remove('n-002');
      }
      return derived;
    };
    expect(await one.index.rebuild({ derive })).toEqual({ kind: 'complete', rows: 200 });
    expect((await one.search('meanwhile')).byWords.map(({ key }) => key).sort()).toEqual(['n-001', 'new']);
    expect((await one.search('2')).byWords.map(({ key }) => key)).not.toContain('n-002');
  });

  it('rejects the earlier of two, and completes the later', async () => {
    const one = await openFilled();
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const earlier = one.index.rebuild({
      derive: async (rows) => {
        await gate;
        return one.derive(rows);
      },
    });
    const refused = expect(earlier).rejects.toMatchObject({ code: 'conflict' });
    const later = one.index.rebuild({ derive: one.derive });
    expect(await later).toMatchObject({ kind: 'complete', rows: 200 });
    release();
    await refused;
  });

  it('writes and puts in use what its owner derives with the entries, all at once', async () => {
    const one = await openFilled();
    one.database.exec('CREATE TABLE extra (note INTEGER); CREATE TABLE extra_next (note INTEGER)');
    const add = one.database.prepare<[number]>('INSERT INTO extra_next VALUES (?)');
    const derive = async (rows: readonly number[]) =>
      (await one.derive(rows)).map((derived) => ({ ...derived, write: () => [void add.run(derived.row)] }));
    const count = () => one.database.prepare('SELECT count(*) FROM extra').pluck().get();
    const onSwap = () => void one.database.exec('INSERT INTO extra SELECT note FROM extra_next');
    await one.index.rebuild({ derive, onSwap, ...interruptAfter(1) });
    expect(count()).toBe(0);
    await one.index.rebuild({ derive, onSwap, resume: true });
    expect(count()).toBe(200);
  });
});
