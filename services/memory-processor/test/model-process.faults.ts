import type { ScriptedOpenAi } from '@contextloom/testing/llm';
import { describe, expect, it } from '@jest/globals';
import { CONCURRENCY, firstTurns, sentWindows, toFilms, toReport, useFilms, WINDOWS } from './support/films.ts';
import type { Running } from './support/programs.ts';
import { drawOne, firstTurn } from './support/scripted-model.ts';

const { startEndpoint, startFilms, listStored, expectAllOnce } = useFilms();

const countSent = (endpoint: ScriptedOpenAi, film: number): number =>
  endpoint.requests.filter((request) => firstTurn(request) === film).length;

/** Starts a run that is ended when the endpoint is asked for so many windows, and waits for it to end. */
async function interrupt(user: string, signal: NodeJS.Signals, asked: number) {
  let run: Running | undefined;
  const endpoint = await startEndpoint({
    chat: (request, index) => {
      // All asked for before it but those under way have been answered then.
      if (index + 1 === asked) run?.child.kill(signal);
      return { ...drawOne(request), delayMs: 50 };
    },
  });
  run = startFilms(user, endpoint);
  return { endpoint, ended: await run.ended };
}

describe('a run that is', () => {
  it.each([5, 30])('killed at window %i and run again has every memory once', async (asked) => {
    const user = `kim-${asked}`;
    const { endpoint, ended } = await interrupt(user, 'SIGKILL', asked);
    expect(ended).toMatchObject({ code: null, stdout: '' });
    const { episodes, facts } = await listStored(user);
    const recorded = toFilms(episodes);
    // No window counts as recorded without its facts.
    expect(toFilms(facts)).toEqual(recorded);
    if (asked > 3 * CONCURRENCY) expect(recorded).not.toEqual([]);
    const again = await startFilms(user, endpoint).ended;
    expect(again.code).toBe(0);
    await expectAllOnce(user);
    expect(recorded.filter((film) => countSent(endpoint, film) !== 1)).toEqual([]);
    // What was under way, and what had been answered and was being saved.
    const sentTwice = firstTurns.filter((film) => countSent(endpoint, film) > 1);
    expect(sentTwice.length).toBeLessThanOrEqual(2 * CONCURRENCY);
    expect(firstTurns.filter((film) => countSent(endpoint, film) > 2)).toEqual([]);
  });

  it('told to stop half-way pays for no window twice', async () => {
    const { endpoint, ended } = await interrupt('sam', 'SIGINT', 20);
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('\nstopping after what is under way …\n') });
    const asked = endpoint.requests.length;
    const paid = endpoint.all.length;
    expect(asked).toBeLessThan(WINDOWS);
    expect(toReport(ended)).toMatchObject({ success: false, import: { stopped: true, usage: { calls: paid } } });
    const { episodes, facts } = await listStored('sam');
    expect([episodes.length, facts.length]).toEqual([asked, asked]);
    const again = await startFilms('sam', endpoint).ended;
    expect(toReport(again)).toMatchObject({ success: true, import: { usage: { calls: endpoint.all.length - paid } } });
    expect(sentWindows(endpoint)).toEqual(firstTurns);
    await expectAllOnce('sam');
  });
});
