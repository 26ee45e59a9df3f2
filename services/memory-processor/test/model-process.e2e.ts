import { join } from 'node:path';
import { createUpstreams, type Upstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import type { RecordedRequest } from '@contextloom/testing/llm';
import { describe, expect, it } from '@jest/globals';
import { CONCURRENCY, firstTurns, sentWindows, toReport, useFilms, WINDOWS } from './support/films.ts';
import { built } from './support/knowledge-base.ts';
import { startProgram } from './support/programs.ts';
import { drawOne, toAnswerText } from './support/scripted-model.ts';

const { folder, kbUrl, closeLater, startEndpoint, toEnv, startFilms, listStored, expectAllOnce } = useFilms();

describe('an import with a model', () => {
  it('saves episodes and facts, tells what it asked, and asks nothing the second time', async () => {
    let openGate: () => void = () => undefined;
    const until = new Promise<void>((resolve) => {
      openGate = resolve;
    });
    const chat = (request: RecordedRequest, at: number) => {
      // The first are answered when there are as many as may be asked at once.
      if (at + 1 === CONCURRENCY) openGate();
      return { ...drawOne(request), until };
    };
    const endpoint = await startEndpoint({ chat });
    const first = await startFilms('anna', endpoint).ended;
    expect(first.code).toBe(0);
    expect(toReport(first)).toMatchObject({
      success: true,
      import: {
        extractor: { kind: 'model', name: 'scripted' },
        pieces: WINDOWS,
        known_pieces: 0,
        saved: 2 * WINDOWS,
        not_saved: {},
        failed_pieces: [],
        failures: [],
        usage: { calls: endpoint.all.length, input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
      },
    });
    expect(sentWindows(endpoint)).toEqual(firstTurns);
    expect(endpoint.peak()).toBe(CONCURRENCY);
    await expectAllOnce('anna');
    const again = await startFilms('anna', endpoint).ended;
    expect(toReport(again)).toMatchObject({
      import: { saved: 0, known_pieces: WINDOWS, usage: { calls: 0 } },
    });
    expect(endpoint.requests).toHaveLength(WINDOWS);
  });

  it('tells beforehand what it would ask, and sends and saves nothing', async () => {
    const endpoint = await startEndpoint({});
    const env = { ...toEnv(endpoint), LLM_INPUT_PRICE: '2', LLM_OUTPUT_PRICE: '10' };
    const { code, stdout, stderr } = await startProgram(
      'import',
      ['import', 'films.txt', '--user', 'dora', '--dry-run'],
      {
        cwd: folder(),
        env,
      },
    ).ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.replace(/\s+/gu, ' ')).toMatch(
      /The model would be asked: 80 calls, [\d,]+ tokens in, 12,400 out, \$0\.\d{4} \(by LLM_INPUT_PRICE and LLM_OUTPUT_PRICE\)\. Nothing was sent or saved\. $/u,
    );
    expect([endpoint.requests, endpoint.refused]).toEqual([[], []]);
    expect(await listStored('dora')).toEqual({ episodes: [], facts: [] });
  });
});

/** The real server over stdio, and a real client. */
function connect(env: Readonly<Record<string, string>>): Upstreams {
  const args = [built('memory-processor/dist/server.js')];
  const entry = { command: process.execPath, args, env: { ...env, LOG_LEVEL: 'silent' }, cwd: folder() };
  const servers = { 'memory-processor': entry };
  const upstreams = createUpstreams({ servers, clientName: 'test', clientVersion: '0', log: silentLog });
  closeLater(upstreams);
  return upstreams;
}

async function call(server: Upstreams, tool: string, args: Readonly<Record<string, string | boolean>>) {
  const result = await server.call('memory-processor', tool, { ...args }, { timeoutMs: 200_000 });
  if (result.kind !== 'ok') throw new Error(`${tool}: ${result.answer ?? result.reason}`);
  return result.value.structured;
}

describe('the server', () => {
  const history = 'Anna: I moved to Lyon. I had soup for lunch.';
  const said = { conversation_history: history, transcript_id: 'lyon' };
  const small = { content: 'Anna had soup for lunch.', importance: 2 };

  it('with a model names it, and saves what matters little when it is forced to', async () => {
    const text = toAnswerText({ content: 'Anna moved to Lyon.', importance: 8 }, small);
    const endpoint = await startEndpoint({ chat: () => ({ kind: 'answer', text }) });
    const server = connect(toEnv(endpoint));
    const extractor = { kind: 'model', name: 'scripted' };
    expect(await call(server, 'extract_memories', said)).toMatchObject({ extractor, usage: { calls: 2 } });
    expect(await listStored('lea')).toEqual({ episodes: [], facts: [] });
    expect(await call(server, 'process_transcript', { user_id: 'lea', ...said })).toMatchObject({
      extractor,
      memories_saved: 2,
      usage: { calls: 2 },
      failed: [],
      not_saved: [{ ...small, reason: 'importance below 3' }],
    });
    const forced = { user_id: 'lea', ...said, force_save: true };
    expect(await call(server, 'process_transcript', forced)).toMatchObject({ memories_saved: 3, not_saved: [] });
    const { episodes, facts } = await listStored('lea');
    expect([episodes.length, facts.map(({ content }) => content).sort()]).toEqual([
      1,
      ['Anna had soup for lunch.', 'Anna moved to Lyon.'],
    ]);
    expect(await call(server, 'process_transcript', forced)).toMatchObject({ memories_known: 1, memories_saved: 0 });
    expect(endpoint.requests).toHaveLength(3);
  });

  it('without a model names the rules', async () => {
    const server = connect({ KB_URL: kbUrl() });
    const extractor = { kind: 'rules', name: 'rules' };
    expect(await call(server, 'extract_memories', said)).toMatchObject({ extractor });
    expect(await call(server, 'process_transcript', { user_id: 'rita', ...said })).toMatchObject({
      extractor,
      memories_saved: 1,
    });
    expect((await listStored('rita')).episodes[0]?.metadata).toMatchObject({ extractor: 'rules' });
  });
});

describe('wrong settings', () => {
  it.each([
    [
      'import',
      { LLM_MODEL: 'm' },
      'LLM_API_KEY must be set for LLM_MODEL, or LLM_BASE_URL for an endpoint that wants no key',
    ],
    ['import', { LLM_BASE_URL: 'http://127.0.0.1:9/v1' }, 'LLM_MODEL must name a model of the endpoint LLM_BASE_URL'],
    ['import', { LLM_CONCURRENCY: '0' }, 'LLM_CONCURRENCY must be a whole number from 1 to 64'],
    ['server', { LLM_BASE_URL: 'http://127.0.0.1:9/v1' }, 'LLM_MODEL must name a model of the endpoint LLM_BASE_URL'],
  ] as const)('end the %s with one line: %j', async (program, wrong, line) => {
    const words = program === 'import' ? ['import', 'one.txt', '--user', 'eve', '--yes'] : [];
    const { code, stdout, stderr } = await startProgram(program, words, {
      cwd: folder(),
      env: { KB_URL: kbUrl(), ...wrong },
    }).ended;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^(?:contextloom|memory-processor): .*${line}`)),
    ]);
  });
});

describe('--check', () => {
  const check = async (env: Readonly<Record<string, string>>): Promise<unknown> => {
    const { code, stdout } = await startProgram('server', ['--check'], {
      cwd: folder(),
      env: { KB_URL: kbUrl(), LOG_LEVEL: 'silent', ...env },
    }).ended;
    const { checks } = JSON.parse(stdout) as { checks: readonly { status: string }[] };
    expect(code).toBe(checks.some(({ status }) => status === 'failed') ? 1 : 0);
    return checks;
  };
  const found = (status: string, detail: string) => [
    { name: 'model', status, detail },
    { name: 'knowledge base', status: 'ok', detail: 'the knowledge base answers' },
  ];

  it('tells whether the model answers, why it does not, or that there is none', async () => {
    const endpoint = await startEndpoint({ chat: [{ kind: 'answer', text: 'ok' }] });
    const env = toEnv(endpoint);
    expect(await Promise.all([check(env), check({ ...env, LLM_API_KEY: 'wrong' }), check({})])).toEqual([
      found('ok', `scripted at ${endpoint.url} answers`),
      found('failed', `${endpoint.url} does not accept the key: check LLM_API_KEY`),
      found('off', 'no model is configured: written rules make the memories'),
    ]);
    expect(endpoint.requests).toHaveLength(1);
  });
});

describe('an import, when nobody reads its output any more', () => {
  it('saves all the same, and ends without a stack trace', async () => {
    const run = (user: string) =>
      startProgram('import', ['import', 'films.txt', '--user', user, '--yes'], {
        cwd: folder(),
        env: { KB_URL: kbUrl(), MEMORY_PROCESSOR_DATA_DIR: join(folder(), 'journal') },
      });
    const first = run('piped');
    first.child.stdout?.destroy();
    const { code, stderr } = await first.ended;
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('    at ')]);
    const { stdout } = await run('piped').ended;
    expect(stdout).toContain('0 memories saved from 1 conversation, nothing new in 1');
  });
});
