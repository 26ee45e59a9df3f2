import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addKey } from '@contextloom/access';
import { connectOverHttp, type TestClient } from '@contextloom/testing';
import { startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import {
  type ModelTurn,
  type Scenario,
  type ShownMemory,
  scenarios,
  type ToolAnswer,
  toTurns,
} from './support/chat-scenario.ts';
import { type HttpAggregator, serverFile, startHttpAggregator } from './support/server-process.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const service = (name: string, ...args: readonly string[]) => ({
  command: process.execPath,
  args: [join(root, `services/${name}/dist/server.js`), ...args],
});

/** What a chat needs of a client. */
type Ask = (tool: string, args?: Record<string, unknown>) => Promise<ToolAnswer>;

interface Chatter {
  readonly ask: Ask;
  readonly client: Client;
  readonly close: () => Promise<void>;
}

let folder: string;
let file: string;
/** A composition of what the typed memory needs. */
let typedFile: string;
let env: Record<string, string>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-chat-'));
  file = join(folder, 'mcp_config.json');
  const mcpServers = {
    'persona-marlow': service('persona', '--persona', 'marlow'),
    'knowledge-base': service('knowledge-base'),
    'personal-memory': service('personal-memory'),
    'typed-memory': service('typed-memory'),
    'agent-memory': service('agent-memory'),
    'agent-mem': service('project-memory'),
  };
  const { 'knowledge-base': documents, 'typed-memory': typed } = mcpServers;
  typedFile = join(folder, 'typed.json');
  for (const [path, servers] of [
    [file, mcpServers],
    [typedFile, { 'knowledge-base': documents, 'typed-memory': typed }],
  ] as const) {
    await writeFile(path, JSON.stringify({ mcpServers: servers, aggregator: { source_deadline_ms: 120_000 } }));
  }
  env = { PATH: String(process.env['PATH']), XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };
  Object.assign(env, { LOG_LEVEL: 'error', MCP_CONFIG: file });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function toAsk(client: Client): Ask {
  return async (tool, args = {}) => {
    const { structuredContent, isError, content } = await client.callTool({ name: tool, arguments: args });
    if (isError === true) throw new Error(JSON.stringify(content));
    return structuredContent as ToolAnswer;
  };
}

async function overStdio(more: Record<string, string>, ...args: readonly string[]): Promise<Chatter> {
  const client = new Client({ name: 'chat', version: '0' });
  const command = {
    command: process.execPath,
    args: [serverFile, ...args],
    env: { ...env, ...more },
    stderr: 'inherit' as const,
  };
  await client.connect(new StdioClientTransport(command));
  return { client, ask: toAsk(client), close: () => client.close() };
}

/** Lets a scripted model chat: each of its answers is the next call, until it says that it is done. */
async function chat(scenario: Scenario, ask: Ask, atEachStep: () => Promise<void>): Promise<readonly ToolAnswer[]> {
  const turns = toTurns(scenario);
  const model = await startScriptedOpenAi({
    chat: ({ body: { messages = [] } }, index) => {
      const last = messages.at(-1)?.content;
      const turn = turns[index]?.(index === 0 ? {} : JSON.parse(String(last))) ?? { say: 'done' };
      return { kind: 'answer', text: JSON.stringify(turn) };
    },
  });
  const messages = [{ role: 'user', content: scenario.query }];
  const answers: ToolAnswer[] = [];
  try {
    for (;;) {
      const response = await fetch(`${model.url}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${model.apiKey}` },
        body: JSON.stringify({ model: 'scripted', messages }),
      });
      const { choices } = (await response.json()) as { choices: readonly { message: { content: string } }[] };
      const said = String(choices[0]?.message.content);
      const turn = JSON.parse(said) as ModelTurn;
      if ('say' in turn) return answers;
      const answer = await ask(turn.tool, turn.arguments);
      answers.push(answer);
      messages.push({ role: 'assistant', content: said }, { role: 'user', content: JSON.stringify(answer) });
      await atEachStep();
    }
  } finally {
    await model.close();
  }
}

const storesOf = ({ memories = [] }: ToolAnswer) => [...new Set(memories.map(({ store }) => store))].sort();
const textsOf = ({ memories = [] }: ToolAnswer) => memories.map(({ text }) => text);

/** What the chat must have come to, step by step. */
function expectChat(answers: readonly ToolAnswer[], scenario: Scenario): void {
  const [fact, event, note, recalled = {}, updated, forgotten, again = {}, listed = {}] = answers;
  expect([fact, event, note]).toMatchObject([
    { id: 'fact:employer', kind: 'fact', store: 'personal-memory' },
    { id: expect.stringMatching(/^event:\d+$/), kind: 'event', store: 'personal-memory' },
    { id: expect.stringMatching(/^note:/), kind: 'note', store: 'knowledge-base' },
  ]);
  expect(storesOf(recalled)).toEqual(['knowledge-base', 'personal-memory', 'typed-memory']);
  expect(textsOf(recalled)).toEqual(expect.arrayContaining([scenario.event, scenario.note, scenario.typed]));
  const scores = (recalled.memories as readonly (ShownMemory & { score: number })[]).map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect([updated, forgotten]).toMatchObject([{ message: 'Corrected.' }, { message: 'Forgotten.' }]);
  for (const seen of [again, listed]) {
    expect(textsOf(seen)).toEqual(expect.arrayContaining([scenario.corrected, scenario.typed]));
    expect(textsOf(seen)).not.toEqual(expect.arrayContaining([scenario.note]));
    expect(textsOf(seen)).not.toEqual(expect.arrayContaining([scenario.event]));
  }
}

/** Another user sees nothing, wherever they look. */
async function expectNothing({ ask, client }: Chatter, { query }: Scenario): Promise<void> {
  expect(await ask('recall', { query })).toMatchObject({ memories: [] });
  expect(await ask('list_memories', { limit: 100 })).toMatchObject({ memories: [] });
  const { messages } = await client.getPrompt({ name: 'what_do_you_know_about_me' });
  expect(JSON.stringify(messages)).not.toContain(query);
}

describe.each(Object.entries(scenarios))('a chat in %s over stdio', (language, scenario) => {
  const [ann, bob] = [`ann-${language}`, `bob-${language}`];
  let other: Chatter;
  let chatter: Chatter;
  beforeAll(async () => {
    const all = await overStdio({ DEFAULT_USER_ID: ann, MCP_CONFIG: typedFile }, '--profile', 'all');
    await all.ask('typed-memory__memory_add', { content: scenario.typed, memory_type: 'core' });
    await all.close();
    chatter = await overStdio({}, '--profile', 'chat', '--user', ann);
    other = await overStdio({}, '--profile', 'chat', '--user', bob);
  }, 120_000);
  afterAll(async () => {
    await chatter.close();
    await other.close();
  });

  it('remembers, recalls from three stores, is corrected, forgets; another user sees nothing at any step', async () => {
    const answers = await chat(scenario, chatter.ask, () => expectNothing(other, scenario));
    expectChat(answers, scenario);
    // A workspace of nobody in which nothing stands has nothing to withhold.
    expect(answers[3]?.['not_asked']).toEqual([]);
    // What is counted is what is listed: not the sentence of a fact, nor the documents of typed memory a second time.
    for (const filter of [{}, { kind: 'note' }, { time_range: 'this_year' }, { time_range: '1990' }, { tag: 'note' }]) {
      const listed = await chatter.ask('list_memories', { order: 'newest', limit: 100, ...filter });
      expect({ filter, total: listed['total'] }).toEqual({ filter, total: listed.memories?.length });
    }
    const { messages } = await chatter.client.getPrompt({
      name: 'what_do_you_know_about_me',
      arguments: { language: 'zh' },
    });
    expect(JSON.stringify(messages)).toContain(scenario.corrected);
    const persona = await chatter.client.getPrompt({ name: 'marlow', arguments: { topic: scenario.query } });
    expect(JSON.stringify(persona.messages)).toContain(scenario.corrected);
    expect(JSON.stringify(persona.messages)).toContain('Marlow System Prompt');
  }, 240_000);
});

describe('a chat over HTTP, by the user of the key', () => {
  let aggregator: HttpAggregator | undefined;
  const clients: TestClient[] = [];
  async function connect(key: string, revision?: string, path = '/mcp/chat'): Promise<Chatter> {
    const client = await connectOverHttp(new URL(path, aggregator?.url), revision, {
      Authorization: `Bearer ${key}`,
    });
    clients.push(client);
    return { client: client.client, ask: toAsk(client.client), close: client.close };
  }
  const keys: Record<string, string> = {};
  beforeAll(async () => {
    const keysFile = join(folder, 'keys.json');
    for (const user of ['ann', 'bob']) {
      const request = { name: user, users: [user], projects: [`${user}-loom`], scopes: ['read', 'write'] as const };
      keys[user] = (await addKey(request, { file: keysFile, clock: () => new Date() })).key;
    }
    const more = {
      LOG_LEVEL: 'info', // It says where it listens.
      CONTEXTLOOM_KEYS_FILE: keysFile,
      MULTI_USER: 'true',
      DEFAULT_USER_ID: '',
      AGENT_MEMORY_USER_ID: 'ann',
    };
    aggregator = await startHttpAggregator(file, { ...env, ...more });
  }, 120_000);
  afterAll(async () => {
    for (const client of clients) await client.close();
    await aggregator?.stop();
  });

  it('keeps two users apart, corrects, forgets, and tells who watches', async () => {
    const { English: scenario } = scenarios;
    const [ann, bob, watching] = [
      await connect(keys['ann'] ?? ''),
      await connect(keys['bob'] ?? ''),
      await connect(keys['ann'] ?? '', '2025-11-25'),
    ];
    const uri = 'contextloom://users/ann/memories/note';
    const updated = new Promise<string>((resolve) => {
      watching.client.setNotificationHandler('notifications/resources/updated', ({ params }) => resolve(params.uri));
    });
    await watching.client.subscribeResource({ uri });
    const answers = await chat(scenario, ann.ask, () => expectNothing(bob, scenario));
    expect(await updated).toBe(uri);
    const [, , note, recalled = {}, , , again = {}] = answers;
    expect(note).toMatchObject({ kind: 'note', store: 'knowledge-base' });
    expect(storesOf(recalled)).toEqual(['knowledge-base', 'personal-memory']);
    expect(recalled['not_asked']).toEqual([]);
    expect(textsOf(again)).toEqual(expect.arrayContaining([scenario.corrected]));
    await expect(bob.client.readResource({ uri })).rejects.toThrow();
    const { contents } = await ann.client.readResource({ uri });
    expect(JSON.stringify(contents)).toContain(scenario.corrected);
    await expect(bob.ask('forget', { id: String(note?.['id']) })).rejects.toThrow('there is no memory');
    await expect(bob.ask('update_memory', { id: String(note?.['id']), text: 'mine' })).rejects.toThrow(
      'there is no memory',
    );
  }, 240_000);

  it('reads a memory of each kind whole, for the user whose it is', async () => {
    const [ann, bob] = await Promise.all(
      ['ann', 'bob'].map((name) => connect(keys[name] ?? '', undefined, '/mcp/all')),
    );
    const told = [
      { kind: 'fact', key: 'loom', text: 'a loom by Louët' },
      { kind: 'event', text: 'I sold the old loom yesterday.' },
      { kind: 'note', text: 'Looms like dry rooms.' },
      { text: 'The loom counts its threads twice', project: 'ann-loom' },
    ];
    for (const one of told) {
      const { id } = (await ann?.ask('remember', one)) ?? {};
      const whole = await ann?.ask('get_memory', { id });
      expect(whole).toMatchObject({ id, text: expect.stringContaining('oom'), details: expect.anything() });
      await expect(bob?.ask('get_memory', { id })).rejects.toThrow('project' in one ? 'project' : 'no memory');
      await ann?.ask('forget', { id });
      await expect(ann?.ask('get_memory', { id })).rejects.toThrow('there is no memory');
    }
    await ann?.ask('personal-memory__create_entity', { entity_type: 'pet', name: 'Bix', attributes: { age: 3 } });
    const { memories: [pet] = [] } = (await ann?.ask('list_memories', { kind: 'entity' })) ?? {};
    const bix = { text: expect.stringContaining('Bix'), details: { attributes: { age: 3 } } };
    expect(await ann?.ask('get_memory', { id: pet?.id })).toMatchObject(bix);
    await ann?.ask('agent-memory__add_entry', { content: 'The loom squeaks in winter' });
    const { memories: [entry] = [] } = (await ann?.ask('list_memories', { kind: 'agent' })) ?? {};
    expect(await ann?.ask('get_memory', { id: entry?.id })).toMatchObject({ store: 'agent-memory' });
    await expect(bob?.ask('get_memory', { id: entry?.id })).rejects.toThrow('may not name');
  }, 240_000);

  it('recalls from the project that is named, for those who reach it, and corrects there with a version', async () => {
    const [ann, bob] = [await connect(keys['ann'] ?? ''), await connect(keys['bob'] ?? '')];
    const project = 'ann-loom';
    const stored = await ann.ask('remember', { text: 'The loom keeps its vectors in pgvector', project });
    expect(stored).toMatchObject({ kind: 'project', store: 'project-memory' });
    expect(await ann.ask('recall', { query: 'Where are vectors kept?', project })).toMatchObject({
      memories: [{ id: stored['id'], store: 'project-memory' }],
    });
    expect(await ann.ask('recall', { query: 'Where are vectors kept?' })).toMatchObject({ memories: [] });
    await expect(bob.ask('recall', { query: 'vectors', project })).rejects.toThrow('project');
    await ann.ask('update_memory', { id: stored['id'], text: 'The loom keeps its vectors in SQLite' });
    expect(textsOf(await ann.ask('recall', { query: 'vectors', project }))).toEqual([
      'The loom keeps its vectors in SQLite',
    ]);
    await ann.ask('remember', { text: 'The loom is tested on two cores', project });
    const first = await ann.ask('list_memories', { kind: 'project', project, limit: 1 });
    const second = await ann.ask('list_memories', { kind: 'project', project, limit: 1, cursor: first['next_cursor'] });
    expect(second['next_cursor']).toBeUndefined();
    expect([...textsOf(first), ...textsOf(second)].sort()).toEqual([
      expect.stringContaining('two cores'),
      expect.stringContaining('SQLite'),
    ]);
    await expect(bob.ask('update_memory', { id: stored['id'], text: 'mine' })).rejects.toThrow('project');
    await expect(bob.ask('forget', { id: stored['id'] })).rejects.toThrow('project');
    await ann.ask('forget', { id: stored['id'] });
    expect(await ann.ask('recall', { query: 'vectors', project })).toMatchObject({ memories: [] });
  }, 240_000);
});
