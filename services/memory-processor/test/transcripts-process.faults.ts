import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordedRequest, Step } from '@contextloom/testing/llm';
import { toRounds } from '@contextloom/testing/rounds';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { CONCURRENCY, toFilms, toReport, useFilms } from './support/films.ts';
import { type Running, startProgram } from './support/programs.ts';
import { toAnswerText } from './support/scripted-model.ts';

const { folder, startEndpoint, toEnv, listStored } = useFilms();

const TRANSCRIPTS = toRounds(12, 30);
const all = Array.from({ length: TRANSCRIPTS }, (_, at) => at + 1);
const toFile = (film: number): string => `film-${film}.txt`;
const filmOf = ({ body }: RecordedRequest): number =>
  Number(/film number (\d+)/u.exec(String(body.messages?.[1]?.content))?.[1]);
const draw = (request: RecordedRequest): Step => ({
  kind: 'answer',
  delayMs: 30,
  text: toAnswerText({ content: `Anna saw film number ${filmOf(request)}.` }),
});

beforeAll(async () => {
  for (const film of all) await writeFile(join(folder(), toFile(film)), `Anna: I saw film number ${film}.\n`);
});

function start(user: string, endpoint: Parameters<typeof toEnv>[0]): Running {
  return startProgram('import', ['import', ...all.map(toFile), '--user', user, '--yes', '--json'], {
    cwd: folder(),
    env: { ...toEnv(endpoint), LLM_CONCURRENCY: String(CONCURRENCY) },
  });
}

describe(`${TRANSCRIPTS} transcripts`, () => {
  const kills = toRounds(3, 20);
  const moments = Array.from({ length: kills }, (_, at) => 1 + Math.round((at * (TRANSCRIPTS - 1)) / (kills - 1)));

  it.each(moments)('killed when the model is asked for the %i. time are all saved by the next run', async (moment) => {
    let run: Running | undefined;
    const user = `kim-${moment}`;
    const endpoint = await startEndpoint({
      chat: (request, index) => {
        if (index + 1 === moment) run?.child.kill('SIGKILL');
        return draw(request);
      },
    });
    run = start(user, endpoint);
    await run.ended;
    const recorded = toFilms((await listStored(user)).episodes);
    const before = endpoint.requests.length;
    const again = await start(user, endpoint).ended;
    expect(toReport(again)).toMatchObject({ success: true, import: { failed: 0 } });
    const { episodes, facts } = await listStored(user);
    expect([toFilms(episodes), toFilms(facts)]).toEqual([all, all]);
    // What was saved is not asked for again; what was under way, twice as many calls as are made at once at most, is.
    expect(
      endpoint.requests
        .slice(before)
        .map(filmOf)
        .filter((film) => recorded.includes(film)),
    ).toEqual([]);
    expect(endpoint.requests.length).toBeLessThanOrEqual(TRANSCRIPTS + 2 * CONCURRENCY);
  });

  const odd: readonly (readonly [name: string, step: Step])[] = [
    ['a refusal', { kind: 'refusal', text: 'no' }],
    ['a content filter', { kind: 'error', status: 400, code: 'content_filter' }],
    ['a request that is too long', { kind: 'error', status: 413 }],
    ['no JSON', { kind: 'answer', text: '?' }],
    ['JSON that is cut off', { kind: 'answer', text: '{"memories": [{"content": "An' }],
    ['a body that breaks off', { kind: 'half' }],
    ['a broken connection', { kind: 'cut' }],
    ['a page', { kind: 'rubbish', body: '<html>' }],
    ['no choices', { kind: 'rubbish', body: '{"choices": []}' }],
  ];
  /** Odd answers of one run, each to a film of its own: a short run starts the program for three of them. */
  const GROUP = toRounds(3, 1);
  const groups = odd.flatMap((_, at) => (at % GROUP === 0 ? [odd.slice(at, at + GROUP)] : []));
  const cases = groups.map((group) => [group.map(([name]) => name).join(', '), group] as const);

  it.each(cases)('are saved when one each is answered with %s, and those are named', async (names, group) => {
    const user = `odd-${names.replaceAll(/[ ,]+/gu, '-')}`;
    const steps = new Map(group.map(([, step], at) => [3 + 4 * at, step]));
    const endpoint = await startEndpoint({ chat: (request) => steps.get(filmOf(request)) ?? draw(request) });
    const report = toReport(await start(user, endpoint).ended) as unknown as {
      readonly import: { readonly failed_pieces: readonly { readonly source: string; readonly reason: string }[] };
    };
    const good = all.filter((film) => !steps.has(film));
    const { episodes, facts } = await listStored(user);
    expect([toFilms(episodes), toFilms(facts)]).toEqual([all, good]);
    expect(report.import.failed_pieces).toEqual(
      group.map(() => ({ source: expect.any(String), reason: expect.any(String) })),
    );
    const sent = endpoint.requests.map(filmOf).filter((film) => !steps.has(film));
    expect(sent.sort((a, b) => a - b)).toEqual(good);
  });

  it('are all saved when the endpoint refuses for a while, and none is asked for that was answered', async () => {
    const answered = new Map<number, number>();
    const endpoint = await startEndpoint({
      chat: (request, index) => {
        if (index >= 6 && index < TRANSCRIPTS) return { kind: 'error', status: 429, retryAfter: '1' };
        answered.set(filmOf(request), (answered.get(filmOf(request)) ?? 0) + 1);
        return draw(request);
      },
    });
    const again = await start('busy', endpoint).ended;
    expect(toReport(again)).toMatchObject({ success: true });
    const { episodes, facts } = await listStored('busy');
    expect([toFilms(episodes), toFilms(facts)]).toEqual([all, all]);
    expect([...answered.values()]).toEqual(all.map(() => 1));
  });
});
