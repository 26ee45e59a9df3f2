import { createLexicalEmbedder } from '@contextloom/llm';
import { afterEach, beforeEach, expect } from '@jest/globals';
import { type Running, reembedFile, start } from './support/children.ts';
import { describeEachEngine, type StoreSite } from './support/engines.ts';
import { everyone, toDocument, toWritesBy } from './support/stores.ts';

export const COUNT = 1_200;
export const DEADLINE_MS = 120_000;
/** Long, so that a signal comes before the end. */
const CONTENT = Array.from({ length: 400 }, (_, at) => `word${at} 第${at}号`).join(' ');
export const before = createLexicalEmbedder({ dimensions: 64 });
const toBatch = (from: number) =>
  Array.from({ length: 100 }, (_, at) => toDocument(`d-${from + at}`, `${from + at} ${CONTENT}`));
const batches = Promise.all(
  Array.from({ length: COUNT / 100 }, (_, at) => at * 100).map((from) => toWritesBy(before, ...toBatch(from))),
);
const times = { at: '2025-01-01T00:00:00.000Z', keepOwners: true };

/** The numbers of documents that were done, as the progress lines have them. */
export const toProgress = (stderr: string): readonly number[] =>
  [...stderr.matchAll(/^(\d+) of 1200 documents$/gm)].map(([, done]) => Number(done));
export const toDerived = (stdout: string): number => Number(/(\d+) of them derived now/.exec(stdout)?.[1]);

export function untilProgress({ child, ended }: Running): Promise<void> {
  const said = new Promise<void>((resolve) => {
    let lines = '';
    child.stderr?.on('data', (chunk) => {
      lines += String(chunk);
      if (toProgress(lines).some((done) => done > 0)) resolve();
    });
  });
  const early = ended.then(({ code, stderr }): never => {
    throw new Error(`ended with code ${code} before it said how far it is: ${stderr}`);
  });
  return Promise.race([said, early]);
}

/** What a test of the command works with, over documents that another embedder filled the store with. */
interface Reembedding {
  readonly site: () => StoreSite;
  readonly run: (...args: readonly string[]) => Running;
  readonly expectFilled: () => Promise<void>;
}

/** Describes the same of the command over each kind of store. */
export function describeReembedding(name: string, suite: (parts: Reembedding) => void): void {
  describeEachEngine(name, ({ openSite }) => {
    let site: StoreSite;
    beforeEach(async () => {
      site = await openSite();
      const store = await site.open({ embedder: before.identity });
      for (const batch of await batches) await store.put(batch, times);
      await store.close();
    }, DEADLINE_MS);
    afterEach(() => site.remove());
    suite({
      site: () => site,
      run: (...args) => start(reembedFile, args, { ...site.env, LOG_LEVEL: 'silent' }),
      expectFilled: async () => {
        const store = await site.open();
        expect(await store.indexState()).toBe('own');
        expect(await store.stats(everyone.visible)).toMatchObject({ documents: COUNT, vectors: COUNT });
        await store.close();
      },
    });
  });
}
