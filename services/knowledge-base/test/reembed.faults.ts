import { expect, it } from '@jest/globals';
import { COUNT, DEADLINE_MS, describeReembedding, toDerived, toProgress, untilProgress } from './reembed.ts';

describeReembedding('the reembed command', ({ site, run, expectFilled }) => {
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
      await expect(site().open()).rejects.toMatchObject({ message: expect.stringContaining('dist/reembed.js') });

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
});
