import { rm } from 'node:fs/promises';
import { createLexicalEmbedder } from '@contextloom/llm';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Running, reembedFile, start } from './support/children.ts';
import { describeEachEngine, type StoreSite } from './support/engines.ts';
import { makeFolder } from './support/service.ts';
import { everyone, toDocument, toWritesBy } from './support/stores.ts';

const COUNT = 300;
const DEADLINE_MS = 60_000;
/** Long, so that a signal comes before the end. */
const CONTENT = Array.from({ length: 400 }, (_, at) => `word${at} 第${at}号`).join(' ');
const before = createLexicalEmbedder({ dimensions: 64 });
const toBatch = (from: number) =>
  Array.from({ length: 100 }, (_, at) => toDocument(`d-${from + at}`, `${from + at} ${CONTENT}`));
const batches = Promise.all([0, 100, 200].map((from) => toWritesBy(before, ...toBatch(from))));
const times = { at: '2025-01-01T00:00:00.000Z', keepOwners: true };

/** The numbers of documents that were done, as the progress lines have them. */
const toProgress = (stderr: string): readonly number[] =>
  [...stderr.matchAll(/^(\d+) of 300 documents$/gm)].map(([, done]) => Number(done));
const toDerived = (stdout: string): number => Number(/(\d+) of them derived now/.exec(stdout)?.[1]);

function untilProgress({ child, ended }: Running): Promise<void> {
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

describeEachEngine('the reembed command', ({ openSite }) => {
  let site: StoreSite;
  beforeEach(async () => {
    site = await openSite();
    const store = await site.open({ embedder: before.identity });
    for (const batch of await batches) await store.put(batch, times);
    await store.close();
  }, DEADLINE_MS);
  afterEach(() => site.remove());

  const run = (...args: readonly string[]): Running => start(reembedFile, args, { ...site.env, LOG_LEVEL: 'silent' });
  async function expectFilled(): Promise<void> {
    const store = await site.open();
    expect(await store.indexState()).toBe('own');
    expect(await store.stats(everyone.visible)).toMatchObject({ documents: COUNT, vectors: COUNT });
    await store.close();
  }

  it(
    'killed half-way goes on where it stopped when it is run again, and then has nothing to do',
    async () => {
      const first = run();
      await untilProgress(first);
      first.child.kill('SIGKILL');
      const killed = await first.ended;
      const done = toProgress(killed.stderr).at(-1) ?? 0;
      expect({ code: killed.code, stdout: killed.stdout }).toEqual({ code: null, stdout: '' });
      expect(done).toBeGreaterThan(0);
      expect(done).toBeLessThan(COUNT);
      await expect(site.open()).rejects.toMatchObject({ message: expect.stringContaining('dist/reembed.js') });

      const second = await run().ended;
      expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining('lexical-v2 with 384 dimensions: 300') });
      expect(toProgress(second.stderr).at(-1)).toBe(COUNT);
      expect(toDerived(second.stdout)).toBeGreaterThan(0);
      expect(toDerived(second.stdout)).toBeLessThanOrEqual(COUNT - done);
      await expectFilled();

      const third = await run().ended;
      expect(third).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/already.*nothing was done/) });
      const fourth = await run('--all').ended;
      expect([fourth.code, toDerived(fourth.stdout)]).toEqual([0, COUNT]);
    },
    DEADLINE_MS,
  );

  it(
    'ends after its batch on Ctrl-C and says what goes on, which does; the old index stays until then',
    async () => {
      const first = run();
      await untilProgress(first);
      first.child.kill('SIGINT');
      const ended = await first.ended;
      expect(ended).toMatchObject({
        code: 130,
        stdout: expect.stringMatching(/Interrupted .*dist\/reembed\.js goes on/),
      });
      const done = toProgress(ended.stderr).at(-1) ?? 0;
      expect(ended.stdout).toContain(`with ${done} documents done, ${done} of them now`);
      const user = await site.open({ embedder: before.identity });
      expect(await user.stats(everyone.visible)).toMatchObject({ documents: COUNT, vectors: COUNT });
      await user.close();
      const second = await run().ended;
      expect([second.code, toDerived(second.stdout)]).toEqual([0, COUNT - done]);
      await expectFilled();
    },
    DEADLINE_MS,
  );

  it(
    'run again while it is at work ends the earlier with code 1, and the later does the rest',
    async () => {
      const first = run();
      await untilProgress(first);
      first.child.kill('SIGSTOP');
      const later = await run().ended;
      first.child.kill('SIGCONT');
      const earlier = await first.ended;
      expect(earlier).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/rebuilt by another call, which goes on\n$/),
      });
      expect(later.code).toBe(0);
      expect(toDerived(later.stdout)).toBeLessThan(COUNT);
      await expectFilled();
    },
    DEADLINE_MS,
  );
});

describe('the reembed command, called wrongly', () => {
  it.each([
    [[], { EMBEDDING_PROVIDER: 'magic' }, 2, /EMBEDDING_PROVIDER must be lexical, openai, or/],
    [['--everything'], {}, 2, /--everything/],
    [[], { CHROMA_URL: 'http://127.0.0.1:9' }, 1, /Chroma at .* cannot be reached.*dist\/reembed\.js goes on/],
  ])('%j with %j says what is wrong in one line', async (args, env, expected, message) => {
    const folder = await makeFolder();
    const settings = { KB_DATA_DIR: folder, LOG_LEVEL: 'silent', ...(env as Record<string, string>) };
    const { code, stdout, stderr } = await start(reembedFile, args, settings).ended;
    await rm(folder, { recursive: true, force: true });
    expect({ code, stdout, stderr }).toEqual({ code: expected, stdout: '', stderr: expect.stringMatching(message) });
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});
