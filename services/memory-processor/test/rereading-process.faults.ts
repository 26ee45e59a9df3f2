import type { RecordedRequest, Step } from '@contextloom/testing/llm';
import { toRounds } from '@contextloom/testing/rounds';
import { describe, expect, it } from '@jest/globals';
import { CONCURRENCY, sentWindows, useFilms } from './support/films.ts';
import type { Running } from './support/programs.ts';
import { drawOne } from './support/scripted-model.ts';

const CALLS = 16;
const { startEndpoint, startFilms, expectAllOnce } = useFilms({ windows: CALLS });

/** Has all films read once. */
async function readOnce(user: string): Promise<void> {
  const endpoint = await startEndpoint({ chat: drawOne });
  expect((await startFilms(user, endpoint).ended).code).toBe(0);
}

/** Reads again, and is ended when the endpoint is asked so often. */
async function readAgain(user: string, { signal, asked }: { readonly signal: NodeJS.Signals; readonly asked: number }) {
  let run: Running | undefined;
  const chat = (request: RecordedRequest, index: number): Step => {
    if (index + 1 === asked) run?.child.kill(signal);
    return { ...drawOne(request), delayMs: 20 };
  };
  const endpoint = await startEndpoint({ chat });
  run = startFilms(user, endpoint, '--reread');
  await run.ended;
  return endpoint;
}

describe('a reading again that is', () => {
  it('told to stop asks about no piece twice when it goes on, and from the start once it is done', async () => {
    const user = 'sam';
    await readOnce(user);
    const endpoint = await readAgain(user, { signal: 'SIGINT', asked: 6 });
    expect(sentWindows(endpoint).length).toBeLessThan(CALLS);
    const again = await startFilms(user, endpoint, '--reread').ended;
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('going on with the reading again')]);
    const sent = sentWindows(endpoint);
    expect([sent.length, new Set(sent).size]).toEqual([CALLS, CALLS]);
    await expectAllOnce(user);
    await startFilms(user, endpoint, '--reread').ended;
    expect(sentWindows(endpoint).length).toBe(2 * CALLS);
  });

  it.each(toRounds([9], [4, 14]))('killed at call %i asks twice about no more than was under way', async (asked) => {
    const user = `kim-${asked}`;
    await readOnce(user);
    const endpoint = await readAgain(user, { signal: 'SIGKILL', asked });
    expect((await startFilms(user, endpoint, '--reread').ended).code).toBe(0);
    const sent = sentWindows(endpoint);
    expect(new Set(sent).size).toBe(CALLS);
    expect(sent.length).toBeLessThanOrEqual(CALLS + 2 * CONCURRENCY);
    await expectAllOnce(user);
  });
});
