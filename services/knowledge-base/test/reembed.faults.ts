import { tokenize } from '@contextloom/retrieval';
import { expect, it } from '@jest/globals';
import { after, BATCH, before, COUNT, describeReembedding, toDerived, toProgress } from './reembed.ts';
import { everyone, hitIds } from './support/stores.ts';

describeReembedding('the reembed command', ({ site, takesSeveral, run, untilHalfway, goOn, expectFilled }) => {
  it('killed half-way goes on where it stopped when it is run again, and then has nothing to do', async () => {
    const first = run();
    await untilHalfway(first);
    first.child.kill('SIGKILL');
    const killed = await first.ended;
    expect(killed).toMatchObject({ code: null, stdout: '' });
    expect(toProgress(killed.stderr).at(-1)).toBe(BATCH);
    await expect(site().open({ embedder: after })).rejects.toMatchObject({
      message: expect.stringContaining('was filled by the embedder lexical lexical-v2 with 32 dimensions'),
    });

    const second = await run().ended;
    const filled = `openai scripted with ${after.dimensions} dimensions: ${COUNT} documents`;
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining(filled) });
    expect(toProgress(second.stderr).at(-1)).toBe(COUNT);
    expect(toDerived(second.stdout)).toBe(COUNT - BATCH);
    await expectFilled();

    const third = await run().ended;
    expect(third).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/already.*nothing was done/) });
    const fourth = await run('--all').ended;
    expect([fourth.code, toDerived(fourth.stdout)]).toEqual([0, COUNT]);
  });

  if (!takesSeveral) {
    it('run again while it is at work ends with code 1 and says who is, and the earlier does the rest', async () => {
      const first = run();
      await untilHalfway(first);
      expect(await run().ended).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(new RegExp(`the process ${first.child.pid} on .* writes to the collection`)),
      });
      goOn();
      const { code, stdout } = await first.ended;
      expect([code, toDerived(stdout)]).toEqual([0, COUNT]);
      await expectFilled();
    });
    return;
  }

  it('run again while it is at work ends the earlier with code 1, and the later does the rest', async () => {
    const first = run();
    await untilHalfway(first);
    const later = await run().ended;
    goOn();
    expect(await first.ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/rebuilt by another call, which goes on\n$/),
    });
    expect([later.code, toDerived(later.stdout)]).toEqual([0, COUNT - BATCH]);
    await expectFilled();
  });
});

describeReembedding(
  'the reembed command next to a program of the former embedder',
  ({ site, takesSeveral, run, untilHalfway, goOn, expectFilled }) => {
    if (!takesSeveral) {
      it('is refused, and says which program that is', async () => {
        // No run is killed here: a request whose answer waits would wait for its time limit.
        goOn();
        const store = await site().open({ embedder: before.identity });
        const { code, stderr } = await run().ended;
        expect([code, stderr]).toEqual([
          1,
          expect.stringMatching(/another process of the test writes to the collection/),
        ]);
        await store.close();
        expect((await run().ended).code).toBe(0);
        await expectFilled();
      });
      return;
    }

    it('loses no document when it is killed twice, and that program goes on searching', async () => {
      const store = await site().open({ embedder: before.identity });
      const find = async (): Promise<string | undefined> => {
        const [vector] = await before.embed(['word7']);
        return hitIds((await store.find({ tokens: tokenize('word7'), vector }, everyone, 5)).byWords)[0];
      };
      for (const requests of [2, 4]) {
        const running = run();
        await untilHalfway(running, requests);
        expect(await find()).toBe('d-7');
        running.child.kill('SIGKILL');
        await running.ended;
        expect(await find()).toBe('d-7');
      }
      await store.close();
      const last = await run().ended;
      expect([last.code, toDerived(last.stdout)]).toEqual([0, COUNT - 2 * BATCH]);
      await expectFilled();
    });
  },
  [2, 4],
);
