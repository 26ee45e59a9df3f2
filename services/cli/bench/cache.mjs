// What a long conversation costs with memory in each place, next to none: a conversation goes through the proxy and through the
// client to a provider that caches by the longest common beginning, 1,024 tokens at least, as providers do.
//
//   npm run bench:cache [-- --turns 50] [--json]
//
// Remembered are the two lives of sets/ and examples/ and a few facts of the profile; half-way through one more fact is told. The
// conversation asks the questions of sets/everyday.json, and answers in words of the lives. Nothing of it is stored. Prices are
// those of sets/prices.json; time to the first token is reckoned with 250 ms and 10,000 tokens a second that are not in the cache.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Contextloom } from '@contextloom/client';
import { createOpenAiChat } from '@contextloom/client/openai';
import { countTokens } from '@contextloom/llm';
import Table from 'cli-table3';
import { OpenAI } from 'openai';
import { mean } from '../../../shared/tooling/bench-figures.mjs';
import { environment, freePort, service, untilHealthy } from './stack.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values: flags } = parseArgs({
  options: { turns: { type: 'string', default: '50' }, json: { type: 'boolean', default: false } },
});
const TURNS = Number(flags.turns);
const LEAST_CACHED = 1_024;
const FIRST_MS = 250;
const TOKENS_PER_MS = 10;
const USER = 'dana';
const PERSONA = 'marlow';
const readJson = async (file) => JSON.parse(await readFile(join(here, file), 'utf8'));

/** A request as a model reads it. */
const render = (messages) =>
  messages
    .map(({ role, content }) => {
      const text = typeof content === 'string' ? content : content.map((part) => part.text).join('\n\n');
      return `<|${role}|>${text}`;
    })
    .join('');

function commonLength(a, b) {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

/** A provider that counts of each request how many tokens it has read before. */
async function startProvider() {
  const state = { texts: [], counts: [] };
  const server = createServer(async (request, response) => {
    const pieces = [];
    for await (const piece of request) pieces.push(piece);
    const text = render(JSON.parse(Buffer.concat(pieces)).messages);
    const known = Math.max(0, ...state.texts.map((earlier) => commonLength(earlier, text)));
    const tokens = countTokens(text);
    const common = Math.min(tokens, countTokens(text.slice(0, known)));
    state.texts.push(text);
    state.counts.push({ tokens, cached: common < LEAST_CACHED ? 0 : common });
    response.setHeader('content-type', 'application/json');
    response.end('{"choices":[{"index":0,"message":{"role":"assistant","content":"Yes."},"finish_reason":"stop"}]}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/v1`,
    /** What was sent since the last time. */
    take: () => ({ texts: state.texts.splice(0), counts: state.counts.splice(0) }),
    close: () => server.close(),
  };
}

async function startServer(entry, args, env) {
  const port = await freePort();
  const child = spawn(process.execPath, [entry, ...args(String(port))], {
    env: { ...environment, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  await untilHealthy(url);
  return {
    url,
    close: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'close');
    },
  };
}

const toTurns = ({ sessions }) => sessions.flatMap(({ turns }) => turns);

/** What is said in the conversation: questions, each with an answer of about 150 tokens. */
async function readConversation() {
  const [{ questions }] = await readJson('sets/everyday.json');
  const asked = questions.flatMap(({ texts }) => texts);
  const lives = [
    await readJson('sets/northern-lodger.en.json'),
    await readJson('../examples/harbour-workshop.en.json'),
  ];
  const words = lives.flatMap(toTurns).map(({ text }) => text);
  return Array.from({ length: TURNS }, (_, at) => ({
    question: asked[at % asked.length],
    answer: Array.from({ length: 6 }, (_none, place) => words[(at * 6 + place) % words.length]).join(' '),
  }));
}

async function remember(memory) {
  for (const file of ['sets/northern-lodger.en.json', '../examples/harbour-workshop.en.json']) {
    const { sessions } = await readJson(file);
    for (const { date, turns } of sessions) {
      const said = turns.map(({ speaker, text }) => ({
        role: speaker === 'Marlow' ? 'assistant' : 'user',
        content: text,
      }));
      await memory.store(said, { conversation_date: date });
    }
  }
  for (const [key, value] of Object.entries({ job: 'solicitor', pet: 'a cat called Biscuit', bike: 'a blue tourer' })) {
    await memory.remember(`${key}: ${value}`, { kind: 'fact', key });
  }
}

/** The lines that a model is told of what is remembered. */
const linesOf = (text) => text.split('\n').filter((line) => line.startsWith('- '));

const { models } = await readJson('sets/prices.json');

function summarise(name, { counts }, baseline) {
  const sum = (pick) => counts.reduce((total, count) => total + pick(count), 0);
  const [tokens, cached] = [sum((count) => count.tokens), sum((count) => count.cached)];
  const price = ({ input, cached: read, written }) =>
    // What is new is written to the cache as far as the provider asks for that.
    (cached * read + (tokens - cached) * Math.max(input, written)) / 1e6;
  return {
    name,
    tokens,
    cached_share: cached / tokens,
    of_no_memory:
      baseline === undefined ? 1 : cached / baseline.counts.reduce((total, count) => total + count.cached, 0),
    prices: Object.fromEntries(models.map((model) => [model.name, price(model)])),
    first_token_ms: mean(counts.map((count) => FIRST_MS + (count.tokens - count.cached) / TOKENS_PER_MS)),
  };
}

const folder = await mkdtemp(join(tmpdir(), 'contextloom-cache-'));
const home = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
const provider = await startProvider();
const running = [];
try {
  const aggregator = await startServer(
    service('single-process'),
    (port) => ['--config', join(here, '../../../mcp_config.json'), '--http', port],
    home,
  );
  running.push(aggregator);
  const memory = new Contextloom({ url: aggregator.url, user: USER });
  running.push(memory);
  await remember(memory);
  const conversation = await readConversation();
  const alone = await memory.prompt({ persona_name: PERSONA, user_id: 'nobody', user_query: '' });

  /** Leads the conversation; `ask` sends what was said so far. */
  async function lead(ask) {
    const messages = [];
    for (const [at, { question, answer }] of conversation.entries()) {
      if (at === TURNS >> 1) await memory.remember('boat: the Kittiwake', { kind: 'fact', key: `boat` });
      messages.push({ role: 'user', content: question });
      await ask([...messages]);
      messages.push({ role: 'assistant', content: answer });
    }
    await memory.forget('fact:boat');
    return provider.take();
  }

  const post = (url) => async (messages) => {
    const response = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'contextloom-user': USER, 'contextloom-store': 'false' },
      body: JSON.stringify({ model: 'm', messages }),
    });
    const state = response.headers.get('contextloom-memory') ?? 'complete';
    if (!response.ok || state !== 'complete') throw new Error(`${response.status}, memory ${state}`);
    await response.text();
  };

  async function throughProxy(placement) {
    const args = (port) =>
      ['--provider', provider.url, '--aggregator', `${aggregator.url}/mcp`, '--port', port].concat([
        '--placement',
        placement,
        '--persona',
        PERSONA,
      ]);
    const proxy = await startServer(service('proxy'), args, { ...home, PROXY_MEMORY_DEADLINE_MS: '60000' });
    try {
      return await lead(post(`${proxy.url}/v1`));
    } finally {
      await proxy.close();
    }
  }

  const openai = new OpenAI({ baseURL: provider.url, apiKey: 'none', maxRetries: 0 });
  const throughClient = (placement) => {
    const options = { persona_name: PERSONA, prompt: { placement }, only: [], store: false, request: { model: 'm' } };
    return lead(createOpenAiChat(openai, memory, options));
  };

  const system = { role: 'system', content: alone.prompt };
  const none = await lead((messages) => post(provider.url)([system, ...messages]));
  const runs = {};
  for (const placement of ['before_persona', 'last_message']) {
    runs[`proxy, ${placement}`] = await throughProxy(placement);
    runs[`client, ${placement}`] = await throughClient(placement);
  }
  const rows = [summarise('no memory', none), ...Object.entries(runs).map(([name, run]) => summarise(name, run, none))];
  const told = Object.fromEntries(Object.entries(runs).map(([name, { texts }]) => [name, texts.map(linesOf)]));
  const lines = ['proxy', 'client'].map((endpoint) => {
    const [before, last] = ['before_persona', 'last_message'].map((placement) => told[`${endpoint}, ${placement}`]);
    const same = before.filter((some, at) => some.every((line) => last[at].includes(line))).length;
    return { endpoint, turns: TURNS, with_all_lines: same };
  });
  if (flags.json) process.stdout.write(`${JSON.stringify({ rows, lines }, null, 2)}\n`);
  else {
    const names = models.map(({ name }) => `${name}, $`);
    const table = new Table({
      head: ['', 'input tokens', 'from cache', 'of that without memory', ...names, 'first token, ms'],
      style: { head: [], border: [] },
    });
    for (const row of rows) {
      const shares = [row.cached_share, row.of_no_memory].map((share) => `${(100 * share).toFixed(1)} %`);
      const prices = Object.values(row.prices).map((price) => price.toFixed(4));
      table.push([row.name, row.tokens, ...shares, ...prices, row.first_token_ms.toFixed(0)]);
    }
    process.stdout.write(`${table.toString()}\n`);
    for (const { endpoint, turns, with_all_lines } of lines) {
      process.stdout.write(
        `${endpoint}: in ${with_all_lines} of ${turns} turns last_message tells every line of before_persona\n`,
      );
    }
  }
} finally {
  for (const one of running.toReversed()) await one.close();
  provider.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
