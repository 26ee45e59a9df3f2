import type { RecordedRequest, Step } from '@contextloom/testing/llm';
import { toRounds } from '@contextloom/testing/rounds';
import { describe, expect, it } from '@jest/globals';
import { CONCURRENCY, type Endpoint, sentWindows, toFilms, toReport, useFilms, windowsOf } from './support/films.ts';
import type { Running } from './support/programs.ts';
import { toAnswerText } from './support/scripted-model.ts';

const WINDOWS = 160;
/** Eight windows each. */
const CALLS = 20;
const { startEndpoint, startFilms, listStored, expectAllOnce } = useFilms({ windows: WINDOWS, areGrouped: true });

/** A fact about the first turn of each window. */
function drawEach(request: RecordedRequest): Step {
  const facts = windowsOf(request).map((turn) => ({
    content: `Anna saw film number ${turn}.`,
    evidence: [String(turn)],
  }));
  return { kind: 'answer', text: toAnswerText(...facts), delayMs: 50 };
}

/** Starts a run that is ended when the endpoint is asked so often, and waits for it to end. */
async function interrupt(user: string, signal: NodeJS.Signals, asked: number) {
  let run: Running | undefined;
  const endpoint = await startEndpoint({
    chat: (request, index) => {
      if (index + 1 === asked) run?.child.kill(signal);
      return drawEach(request);
    },
  });
  run = startFilms(user, endpoint);
  const ended = await run.ended;
  const { episodes, facts } = await listStored(user);
  return {
    endpoint,
    ended,
    sent: endpoint.requests.map(windowsOf),
    episodes: toFilms(episodes),
    facts: toFilms(facts),
  };
}

/** Runs again, and sees that it reads what was not saved and no more. */
async function finish(user: string, endpoint: Endpoint, recorded: readonly number[]) {
  const before = endpoint.requests.length;
  const again = await startFilms(user, endpoint).ended;
  expect(again.code).toBe(0);
  await expectAllOnce(user);
  const read = endpoint.requests.slice(before).flatMap(windowsOf);
  expect(read.filter((film) => recorded.includes(film))).toEqual([]);
  expect(new Set(read).size).toBe(read.length);
  return again;
}

describe('a run that reads several windows in a call and is', () => {
  it.each(toRounds([14], [5, 14]))('killed at call %i and run again has every memory once', async (asked) => {
    const user = `kim-${asked}`;
    const { endpoint, ended, sent, episodes, facts } = await interrupt(user, 'SIGKILL', asked);
    expect(ended).toMatchObject({ code: null, stdout: '' });
    expect(facts).toEqual(episodes);
    // What one call was paid for is saved as a whole or not at all.
    const saved = sent.map((windows) => windows.filter((film) => episodes.includes(film)).length);
    expect(saved.filter((count) => count !== 0 && count !== 8)).toEqual([]);
    expect(saved.filter((count) => count === 0).length).toBeLessThanOrEqual(2 * CONCURRENCY);
    if (asked > 3 * CONCURRENCY) expect(episodes).not.toEqual([]);
    await finish(user, endpoint, episodes);
    expect(endpoint.requests.length).toBeLessThanOrEqual(CALLS + 2 * CONCURRENCY);
  });

  it.each(toRounds([6], [1, 6]))('told to stop at call %i pays for no window twice', async (asked) => {
    const user = `sam-${asked}`;
    const { endpoint, ended, sent, episodes, facts } = await interrupt(user, 'SIGINT', asked);
    const paid = endpoint.all.length;
    expect(toReport(ended)).toMatchObject({ success: false, import: { stopped: true, usage: { calls: paid } } });
    expect(sent.length).toBeLessThan(CALLS);
    expect([episodes, facts]).toEqual([sentWindows(endpoint), sentWindows(endpoint)]);
    const again = await finish(user, endpoint, episodes);
    expect(toReport(again)).toMatchObject({ success: true, import: { usage: { calls: endpoint.all.length - paid } } });
    expect(endpoint.requests.length).toBe(CALLS);
  });
});
