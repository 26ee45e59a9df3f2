import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type RecordedRequest,
  type ScriptedOpenAi,
  type ScriptedOpenAiOptions,
  startScriptedOpenAi,
} from '@contextloom/llm/testing';
import { createUpstreams, silentLog, type Upstreams } from '@contextloom/mcp-kit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { built, createFolder, type RunningKnowledgeBase, startKnowledgeBase } from './support/knowledge-base.ts';
import { type Ended, type Running, startProgram } from './support/programs.ts';
import { drawOne, firstTurn, toAnswerText } from './support/scripted-model.ts';

const WINDOWS = 40;
const CONCURRENCY = 4;
/** The turn that each window of the films begins with. */
const firstTurns = Array.from({ length: WINDOWS }, (_, at) => at * 6 + 1);
const toLine = (film: number): string => `Anna: I saw film number ${film}.`;

const ends: (() => Promise<void>)[] = [];
const running: { close: () => Promise<void> }[] = [];
let service: RunningKnowledgeBase | undefined;
let folder = '';

beforeAll(async () => {
  const created = await createFolder();
  folder = created.path;
  service = await startKnowledgeBase(join(folder, 'service'));
  ends.push(service.stop, created.remove);
  const lines = Array.from({ length: WINDOWS * 6 }, (_, at) => toLine(at + 1));
  await writeFile(join(folder, 'films.txt'), `${lines.join('\n')}\n`);
  await writeFile(join(folder, 'one.txt'), 'Anna: I love tea.\n');
});
afterEach(async () => {
  for (const { close } of running.splice(0)) await close();
});
afterAll(async () => {
  for (const end of ends) await end();
});

const kbUrl = (): string => service?.url ?? '';

const isDecision = ({ body }: RecordedRequest): boolean => String(body.messages?.[0]?.content).includes('"decisions"');

/** Takes every fact for a new one, and shows and counts only what is asked of conversations. */
function withDecisions(options: ScriptedOpenAiOptions): ScriptedOpenAiOptions {
  const { chat } = options;
  if (typeof chat !== 'function') return options;
  let read = 0;
  const answer: typeof chat = (request) => {
    if (isDecision(request)) return { kind: 'answer', text: '{"decisions": []}' };
    read += 1;
    return chat(request, read - 1);
  };
  return { ...options, chat: answer };
}

/** An endpoint; `requests` are those that read a conversation, `all` has the decisions too. */
interface Endpoint extends ScriptedOpenAi {
  readonly all: ScriptedOpenAi['requests'];
}

async function startEndpoint(options: ScriptedOpenAiOptions): Promise<Endpoint> {
  const endpoint = await startScriptedOpenAi(withDecisions(options));
  running.push(endpoint);
  return {
    ...endpoint,
    all: endpoint.requests,
    get requests() {
      return endpoint.requests.filter((request) => !isDecision(request));
    },
  };
}

/** The settings of a program that asks an endpoint. */
const toEnv = ({ url, apiKey }: ScriptedOpenAi): Readonly<Record<string, string>> => ({
  KB_URL: kbUrl(),
  LLM_BASE_URL: url,
  LLM_API_KEY: apiKey,
  LLM_MODEL: 'scripted',
});

/** Starts the batch command on the films; asked for little at once, so that a run has a middle. */
const startFilms = (user: string, endpoint: ScriptedOpenAi, words: readonly string[] = []): Running =>
  startProgram('batch', ['films.txt', '--user', user, '--json', ...words], {
    cwd: folder,
    env: { ...toEnv(endpoint), LLM_CONCURRENCY: String(CONCURRENCY) },
  });
const toReport = ({ stdout }: Ended): Readonly<Record<string, unknown>> => JSON.parse(stdout);

interface StoredDocument {
  readonly id: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What the knowledge base itself says that it has of a user. */
async function listStored(user: string): Promise<{ episodes: StoredDocument[]; facts: StoredDocument[] }> {
  const response = await fetch(`${kbUrl()}/documents/list`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ metadata_filter: { user_id: user }, limit: 200 }),
  });
  const { documents, total } = (await response.json()) as { documents: StoredDocument[]; total: number };
  expect(total).toBe(documents.length);
  const isEpisode = ({ tags }: StoredDocument): boolean => tags.includes('episode');
  return {
    episodes: documents.filter(isEpisode),
    facts: documents.filter((document) => !isEpisode(document)),
  };
}

const byOrder = (a: number, b: number): number => a - b;
/** The film that a memory tells of first, which is the turn that its window begins with. */
const toFilms = (documents: readonly StoredDocument[]): number[] =>
  documents.map(({ content }) => Number(/number (\d+)/u.exec(content)?.[1])).sort(byOrder);
/** The windows that were sent, by their first turns, as often as they were. */
const sentWindows = ({ requests }: ScriptedOpenAi): number[] => requests.map(firstTurn).sort(byOrder);
const countSent = (endpoint: ScriptedOpenAi, film: number): number =>
  endpoint.requests.filter((request) => firstTurn(request) === film).length;

/** Every window once, with the one fact that is drawn from it, and nothing else. */
async function expectAllOnce(user: string): Promise<void> {
  const { episodes, facts } = await listStored(user);
  expect([toFilms(episodes), toFilms(facts)]).toEqual([firstTurns, firstTurns]);
  expect(new Set(episodes.map(({ content }) => content))).toEqual(
    new Set(firstTurns.map((first) => Array.from({ length: 6 }, (_, at) => toLine(first + at)).join('\n'))),
  );
  const episodeIds = episodes.map(({ id }) => id).sort();
  expect(facts.map(({ metadata }) => metadata['episode']).sort()).toEqual(episodeIds);
  for (const { metadata } of episodes) expect(metadata).toMatchObject({ extractor: 'scripted', facts: 1 });
}

describe('the batch command with a model', () => {
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
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(toReport(first)).toMatchObject({
      success: true,
      extractor: { kind: 'model', name: 'scripted' },
      conversations: [{ windows: WINDOWS, saved: 2 * WINDOWS, known: 0, not_saved: {}, failures: [] }],
      usage: { calls: endpoint.all.length, input_tokens: expect.any(Number), output_tokens: expect.any(Number) },
    });
    expect(sentWindows(endpoint)).toEqual(firstTurns);
    expect(endpoint.peak()).toBe(CONCURRENCY);
    await expectAllOnce('anna');
    const again = await startFilms('anna', endpoint).ended;
    expect(toReport(again)).toMatchObject({ conversations: [{ saved: 0, known: WINDOWS }], usage: { calls: 0 } });
    expect(endpoint.requests).toHaveLength(WINDOWS);
  });

  it('tells beforehand what it would ask, and sends and saves nothing', async () => {
    const endpoint = await startEndpoint({});
    const env = { ...toEnv(endpoint), LLM_INPUT_PRICE: '2', LLM_OUTPUT_PRICE: '10' };
    const { code, stdout, stderr } = await startProgram('batch', ['films.txt', '--user', 'dora', '--dry-run'], {
      cwd: folder,
      env,
    }).ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(
      /nothing sent or saved, 0 known before; .* to be rated by the model scripted\.\nIt would take 40 calls, [\d,]+ tokens in, 10,000 out, \$0\.\d{4} \(by LLM_INPUT_PRICE and LLM_OUTPUT_PRICE\)\.\n$/u,
    );
    expect([endpoint.requests, endpoint.refused]).toEqual([[], []]);
    expect(await listStored('dora')).toEqual({ episodes: [], facts: [] });
  });
});

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
    expect(ended).toMatchObject({ code: 1, stderr: '\nstopping after what is under way …\n' });
    const asked = endpoint.requests.length;
    const paid = endpoint.all.length;
    expect(asked).toBeLessThan(WINDOWS);
    expect(toReport(ended)).toMatchObject({ success: false, stopped: true, usage: { calls: paid } });
    const { episodes, facts } = await listStored('sam');
    expect([episodes.length, facts.length]).toEqual([asked, asked]);
    const again = await startFilms('sam', endpoint).ended;
    expect(toReport(again)).toMatchObject({ success: true, usage: { calls: endpoint.all.length - paid } });
    expect(sentWindows(endpoint)).toEqual(firstTurns);
    await expectAllOnce('sam');
  });
});

/** The real server over stdio, and a real client. */
function connect(env: Readonly<Record<string, string>>): Upstreams {
  const args = [built('memory-processor/dist/server.js')];
  const entry = { command: process.execPath, args, env: { ...env, LOG_LEVEL: 'silent' }, cwd: folder };
  const servers = { 'memory-processor': entry };
  const upstreams = createUpstreams({ servers, clientName: 'test', clientVersion: '0', log: silentLog });
  running.push(upstreams);
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
    const endpoint = await startEndpoint({ chat: [{ kind: 'answer', text }] });
    const server = connect(toEnv(endpoint));
    const extractor = { kind: 'model', name: 'scripted' };
    expect(await call(server, 'extract_memories', said)).toMatchObject({ extractor, usage: { calls: 1 } });
    expect(await listStored('lea')).toEqual({ episodes: [], facts: [] });
    expect(await call(server, 'process_transcript', { user_id: 'lea', ...said })).toMatchObject({
      ...{ extractor, memories_saved: 2, usage: { calls: 1 }, failed: [] },
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
      'batch',
      { LLM_MODEL: 'm' },
      'LLM_API_KEY must be set for LLM_MODEL, or LLM_BASE_URL for an endpoint that wants no key',
    ],
    ['batch', { LLM_BASE_URL: 'http://127.0.0.1:9/v1' }, 'LLM_MODEL must name a model of the endpoint LLM_BASE_URL'],
    ['batch', { LLM_CONCURRENCY: '0' }, 'LLM_CONCURRENCY must be a whole number from 1 to 64'],
    ['server', { LLM_BASE_URL: 'http://127.0.0.1:9/v1' }, 'LLM_MODEL must name a model of the endpoint LLM_BASE_URL'],
  ] as const)('end the %s with one line: %j', async (program, wrong, line) => {
    const words = program === 'batch' ? ['one.txt', '--user', 'eve'] : [];
    const { code, stdout, stderr } = await startProgram(program, words, {
      cwd: folder,
      env: { KB_URL: kbUrl(), ...wrong },
    }).ended;
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(`memory-processor: ${line}`)]);
  });
});

describe('--check', () => {
  const check = async (env: Readonly<Record<string, string>>): Promise<unknown> => {
    const { code, stdout } = await startProgram('server', ['--check'], {
      cwd: folder,
      env: { KB_URL: kbUrl(), LOG_LEVEL: 'silent', ...env },
    }).ended;
    expect(code).toBe(0);
    return (JSON.parse(stdout) as { checks: unknown }).checks;
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
