import { createLexicalEmbedder } from '@contextloom/llm';
import { type ScriptedOpenAi, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterEach, beforeEach, expect } from '@jest/globals';
import type { EmbedderIdentity } from '../src/domain/store.ts';
import { type Running, reembedFile, start } from './support/children.ts';
import { describeEachEngine, type StoreSite } from './support/engines.ts';
import { everyone, toDocument, toWritesBy } from './support/stores.ts';

/** Documents: four batches of a rebuild, the last one small. */
export const COUNT = 200;
/** Documents of a batch; each batch is one request to the embedder. */
export const BATCH = 64;
export const before = createLexicalEmbedder({ dimensions: 32 });
export const after: EmbedderIdentity = { provider: 'openai', model: 'scripted', dimensions: 64 };
const documents = Array.from({ length: COUNT }, (_, at) => toDocument(`d-${at}`, `word${at} 第${at}号`));
const times = { at: '2025-01-01T00:00:00.000Z', keepOwners: true };

/** The numbers of documents that were done, as the progress lines have them. */
export const toProgress = (stderr: string): readonly number[] =>
  [...stderr.matchAll(/^(\d+) of 200 documents$/gm)].map(([, done]) => Number(done));
export const toDerived = (stdout: string): number => Number(/(\d+) of them derived now/.exec(stdout)?.[1]);

/** What a test of the command works with, over documents that another embedder filled the store with. */
interface Reembedding {
  readonly site: () => StoreSite;
  /** Whether the command may run while another process has the store open. */
  readonly takesSeveral: boolean;
  readonly run: (...args: readonly string[]) => Running;
  /** Waits until a run has done a batch and asks for the next, the n-th of all runs (the second), whose answer waits for {@link goOn}. */
  readonly untilHalfway: (running: Running, requests?: number) => Promise<void>;
  readonly goOn: () => void;
  readonly expectFilled: () => Promise<void>;
}

async function untilProgress({ child, ended }: Running): Promise<void> {
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
  await Promise.race([said, early]);
}

/** Describes the same of the command over each kind of store. `held` are the requests whose answer waits, by number. */
export function describeReembedding(
  name: string,
  suite: (parts: Reembedding) => void,
  held: readonly number[] = [2],
): void {
  describeEachEngine(name, ({ openSite, takesSeveral }) => {
    let site: StoreSite;
    let endpoint: ScriptedOpenAi;
    let goOn: () => void;
    beforeEach(async () => {
      const gate = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      // Everything else is answered at once: with one request held, all but the second batch of the first run.
      const toStep = (_: unknown, at: number) => ({
        kind: 'embed' as const,
        ...(held.includes(at + 1) && { until: gate }),
      });
      endpoint = await startScriptedOpenAi({ embeddings: toStep, dimensions: after.dimensions });
      site = await openSite();
      const store = await site.open({ embedder: before.identity });
      await store.put(await toWritesBy(before, ...documents), times);
      await store.close();
    });
    afterEach(async () => {
      await site.remove();
      await endpoint.close();
    });
    suite({
      site: () => site,
      takesSeveral,
      run: (...args) =>
        start(reembedFile, args, {
          ...site.env,
          LOG_LEVEL: 'silent',
          EMBEDDING_PROVIDER: after.provider,
          EMBEDDING_MODEL: after.model,
          EMBEDDING_DIMENSIONS: String(after.dimensions),
          EMBEDDING_BASE_URL: endpoint.url,
          EMBEDDING_API_KEY: endpoint.apiKey,
        }),
      untilHalfway: async (running, requests = 2) => {
        await untilProgress(running);
        while (endpoint.requests.length < requests) await new Promise((resolve) => setImmediate(resolve));
      },
      goOn: () => goOn(),
      expectFilled: async () => {
        const store = await site.open({ embedder: after });
        expect(await store.indexState()).toBe('own');
        expect(await store.stats(everyone.visible)).toMatchObject({ documents: COUNT, vectors: COUNT });
        await store.close();
      },
    });
  });
}
