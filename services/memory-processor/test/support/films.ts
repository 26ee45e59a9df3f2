import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type RecordedRequest,
  type ScriptedOpenAi,
  type ScriptedOpenAiOptions,
  startScriptedOpenAi,
} from '@contextloom/testing/llm';
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { createFolder, type RunningKnowledgeBase, startKnowledgeBase } from './knowledge-base.ts';
import { type Ended, type Running, startProgram } from './programs.ts';
import { isSecond, labelsOf, supportAll } from './scripted-model.ts';

/** Turns of a window of the films. */
const TURNS = 6;
/** Windows of the films. */
export const WINDOWS = 40;
/** Windows that the endpoint is asked about at once. */
export const CONCURRENCY = 4;
/** The turn that each window of the films begins with. */
export const firstTurns = toFirstTurns(WINDOWS);
function toFirstTurns(windows: number): readonly number[] {
  return Array.from({ length: windows }, (_, at) => at * TURNS + 1);
}
const toLine = (film: number): string => `Anna: I saw film number ${film}.`;

const isDecision = ({ body }: RecordedRequest): boolean => String(body.messages?.[0]?.content).includes('"decisions"');

/** Takes every fact for said and for a new one, and shows and counts only what is asked of conversations. */
function withDecisions(options: ScriptedOpenAiOptions): ScriptedOpenAiOptions {
  const { chat } = options;
  if (typeof chat !== 'function') return options;
  let read = 0;
  const answer: typeof chat = (request) => {
    if (isDecision(request)) return { kind: 'answer', text: '{"decisions": []}' };
    if (isSecond(request)) return supportAll(request);
    read += 1;
    return chat(request, read - 1);
  };
  return { ...options, chat: answer };
}

/** An endpoint; `requests` are those that read a conversation, `all` has the second questions and the decisions too. */
export interface Endpoint extends ScriptedOpenAi {
  readonly all: ScriptedOpenAi['requests'];
}

interface StoredDocument {
  readonly id: string;
  readonly content: string;
  readonly tags: readonly string[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** What an import wrote to standard output with `--json`. */
export const toReport = ({ stdout }: Ended): Readonly<Record<string, unknown>> => JSON.parse(stdout);

const byOrder = (a: number, b: number): number => a - b;
/** The film that a memory tells of first, which is the turn that its window begins with. */
export const toFilms = (documents: readonly StoredDocument[]): number[] =>
  documents.map(({ content }) => Number(/number (\d+)/u.exec(content)?.[1])).sort(byOrder);
/** The windows that a request asks to read, by their first turns. */
export const windowsOf = (request: RecordedRequest): number[] =>
  labelsOf(request).filter((label) => label % TURNS === 1);
/** The windows that were sent, by their first turns, as often as they were. */
export const sentWindows = ({ requests }: ScriptedOpenAi): number[] => requests.flatMap(windowsOf).sort(byOrder);

/** A real knowledge base in its own process, and a folder with the conversations `films.txt` and `one.txt`. */
export interface Films {
  readonly folder: () => string;
  readonly kbUrl: () => string;
  /** Closes something after the test. */
  readonly closeLater: (running: { readonly close: () => Promise<void> }) => void;
  readonly startEndpoint: (options: ScriptedOpenAiOptions) => Promise<Endpoint>;
  /** The settings of a program that asks an endpoint. */
  readonly toEnv: (endpoint: ScriptedOpenAi) => Readonly<Record<string, string>>;
  /** Imports the films; asked for little at once, so that a run has a middle. */
  readonly startFilms: (user: string, endpoint: ScriptedOpenAi, ...words: readonly string[]) => Running;
  /** What the knowledge base itself says that it has of a user. */
  readonly listStored: (user: string) => Promise<{ episodes: StoredDocument[]; facts: StoredDocument[] }>;
  /** Every window once, with the one fact that is drawn from it, and nothing else. */
  readonly expectAllOnce: (user: string) => Promise<void>;
}

async function startEndpoint(options: ScriptedOpenAiOptions): Promise<Endpoint> {
  const endpoint = await startScriptedOpenAi(withDecisions(options));
  return {
    ...endpoint,
    all: endpoint.requests,
    get requests() {
      return endpoint.requests.filter((request) => !isDecision(request) && !isSecond(request));
    },
  };
}

async function listPage(kbUrl: string, user: string, cursor?: string) {
  const response = await fetch(`${kbUrl}/documents/list`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ metadata_filter: { user_id: user }, limit: 200, ...(cursor !== undefined && { cursor }) }),
  });
  return (await response.json()) as { documents: StoredDocument[]; total: number; next_cursor?: string };
}

async function listStored(kbUrl: string, user: string): ReturnType<Films['listStored']> {
  const documents: StoredDocument[] = [];
  let page = await listPage(kbUrl, user);
  documents.push(...page.documents);
  while (page.next_cursor !== undefined) {
    page = await listPage(kbUrl, user, page.next_cursor);
    documents.push(...page.documents);
  }
  expect(page.total).toBe(documents.length);
  const isEpisode = ({ tags }: StoredDocument): boolean => tags.includes('episode');
  return {
    episodes: documents.filter(isEpisode),
    facts: documents.filter((document) => !isEpisode(document)),
  };
}

function expectEachOnce({ episodes, facts }: Awaited<ReturnType<Films['listStored']>>, windows: number): void {
  const firsts = toFirstTurns(windows);
  expect([toFilms(episodes), toFilms(facts)]).toEqual([firsts, firsts]);
  expect(new Set(episodes.map(({ content }) => content))).toEqual(
    new Set(firsts.map((first) => Array.from({ length: TURNS }, (_, at) => toLine(first + at)).join('\n'))),
  );
  const episodeIds = episodes.map(({ id }) => id).sort();
  expect(facts.map(({ metadata }) => metadata['episode']).sort()).toEqual(episodeIds);
  for (const { metadata } of episodes) expect(metadata).toMatchObject({ extractor: 'scripted', facts: 1 });
}

/** The films of a suite. */
interface FilmsOptions {
  /** Windows of the conversation; {@link WINDOWS} unless told. */
  readonly windows?: number;
  /** Whether windows are read several in a call, as by default; else each by itself, so that a run has a middle. */
  readonly areGrouped?: boolean;
}

/** Has the films ready for the tests of a suite. */
export function useFilms({ windows = WINDOWS, areGrouped = false }: FilmsOptions = {}): Films {
  const ends: (() => Promise<void>)[] = [];
  const running: { readonly close: () => Promise<void> }[] = [];
  let service: RunningKnowledgeBase | undefined;
  let folder = '';
  beforeAll(async () => {
    const created = await createFolder();
    folder = created.path;
    service = await startKnowledgeBase(join(folder, 'service'));
    ends.push(service.stop, created.remove);
    const lines = Array.from({ length: windows * TURNS }, (_, at) => toLine(at + 1));
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
  const toEnv: Films['toEnv'] = ({ url, apiKey }) => ({
    KB_URL: kbUrl(),
    LLM_BASE_URL: url,
    LLM_API_KEY: apiKey,
    LLM_MODEL: 'scripted',
    MEMORY_PROCESSOR_DATA_DIR: join(folder, 'journal'),
    ...(!areGrouped && { LLM_READ_TOKENS: '0' }),
  });
  return {
    folder: () => folder,
    kbUrl,
    closeLater: (one) => void running.push(one),
    startEndpoint: async (options) => {
      const endpoint = await startEndpoint(options);
      running.push(endpoint);
      return endpoint;
    },
    toEnv,
    startFilms: (user, endpoint, ...words) =>
      startProgram('import', ['import', 'films.txt', '--user', user, '--yes', '--json', ...words], {
        cwd: folder,
        env: { ...toEnv(endpoint), LLM_CONCURRENCY: String(CONCURRENCY) },
      }),
    listStored: (user) => listStored(kbUrl(), user),
    expectAllOnce: async (user) => expectEachOnce(await listStored(kbUrl(), user), windows),
  };
}
