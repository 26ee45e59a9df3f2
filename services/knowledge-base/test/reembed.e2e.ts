import { rm } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { BATCH, before, COUNT, describeReembedding, toDerived, toProgress } from './reembed.ts';
import { reembedFile, start } from './support/children.ts';
import { makeFolder } from './support/service.ts';
import { everyone } from './support/stores.ts';

describeReembedding('the reembed command', ({ site, run, untilHalfway, goOn, expectFilled }) => {
  it('ends after its batch on Ctrl-C and says what goes on, which does; the old index stays until then', async () => {
    const first = run();
    await untilHalfway(first);
    first.child.kill('SIGINT');
    goOn();
    const ended = await first.ended;
    expect(ended).toMatchObject({
      code: 130,
      stdout: expect.stringMatching(/Interrupted .*dist\/reembed\.js goes on/),
    });
    const done = toProgress(ended.stderr).at(-1) ?? 0;
    expect(done).toBeGreaterThanOrEqual(2 * BATCH);
    expect(ended.stdout).toContain(`with ${done} documents done, ${done} of them now`);
    const user = await site().open({ embedder: before.identity });
    expect(await user.stats(everyone.visible)).toMatchObject({ documents: COUNT, vectors: COUNT });
    await user.close();
    const second = await run().ended;
    expect([second.code, toDerived(second.stdout)]).toEqual([0, COUNT - done]);
    await expectFilled();
  });
});

describe('the reembed command, called wrongly', () => {
  it.each([
    [[], { EMBEDDING_PROVIDER: 'magic' }, 2, /EMBEDDING_PROVIDER must be lexical, local, ollama, openai, or/],
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
