// 1. memory_chat: 100 conversations at once of several users, each user a server of their own, with a scripted model that takes
//    300 ms a call, next to what the same calls of the model take alone. No word of one user may reach another, or of one conversation
//    the history of another.
// 2. memory_add, memory_search and memory_get_profile of a user with 1,000 and with 10,000 memories, one call at a time.
// node services/typed-memory/bench/typed-memory.mjs [conversations] [turns] [memories,memories,…]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openChatModel } from '@contextloom/llm';
import { startScriptedOpenAi } from '@contextloom/testing/llm';
import { cpuTime, measure, ms, peakMemory, percentile, toTable } from '../../../shared/tooling/bench-figures.mjs';
import { toDetails } from '../build/domain/details.js';
import { toDocuments } from '../build/store/knowledge-base/documents.js';
import { callTool, startKnowledgeBase, startTypedMemory } from './processes.mjs';

const print = (text) => process.stdout.write(`${text}\n`);
const USERS = 4;
/** Calls to the model at once, of each server: what LLM_CONCURRENCY is by default. */
const MODEL_CALLS = 8;
const MODEL_MS = 300;
const conversations = Number(process.argv[2] ?? 100);
const turns = Number(process.argv[3] ?? 5);
const levels = (process.argv[4] ?? '1000,10000').split(',').map(Number);

const places = ['harbour', 'market', 'library', '车站', '公园', '码头'];
const things = ['saffron tea', 'a blue bicycle', 'old maps', '龙井茶', '火锅', '旧书'];
const mark = (user, conversation) => `<owner ${user}/${conversation}>`;
const toMessage = (user, conversation, turn) =>
  `${mark(user, conversation)} turn ${turn}: what did I say of ${things[turn % 6]} at the ${places[conversation % 6]}?`;

/** Whose words a request to the model holds: of several users, or in the history of several conversations, is cross-talk. */
function findCrossTalk(messages) {
  const read = (text) => [...text.matchAll(/<owner (\d+)\/(\d+)>/gu)].map(([, user, one]) => ({ user, one }));
  const all = messages.flatMap(({ content }) => read(content));
  const history = messages.slice(1, -1).flatMap(({ content }) => read(content));
  const said = read(messages.at(-1).content.split('The user says:\n').at(-1))[0];
  return all.some(({ user }) => user !== said.user) || history.some(({ one }) => one !== said.one);
}

let crossTalk = 0;
function answer({ body: { messages, response_format: format } }) {
  const said = messages.at(-1).content;
  const [, user, conversation] = /<owner (\d+)\/(\d+)>(?!.*<owner)/su.exec(said) ?? [];
  if (format === undefined) {
    if (findCrossTalk(messages)) crossTalk += 1;
    return { kind: 'answer', delayMs: MODEL_MS, text: `${mark(user, conversation)} You like it, as you said.` };
  }
  const turn = /turn (\d+)/u.exec(said)?.[1];
  const content = `${mark(user, conversation)} The user likes ${things[turn % 6]} at the ${places[conversation % 6]}, ${turn}`;
  const memories = [{ type: 'semantic', content, context: null, importance: 6 }];
  return { kind: 'answer', delayMs: MODEL_MS, text: JSON.stringify({ memories }) };
}

/** Runs the conversations at once, the turns of each in a row; how long turns took and all took, in milliseconds. */
async function converse(turn) {
  const [times, from] = [[], performance.now()];
  const one = async (conversation) => {
    for (let at = 0; at < turns; at += 1) {
      const start = performance.now();
      await turn(conversation % USERS, conversation, at);
      times.push(performance.now() - start);
    }
  };
  await Promise.all(Array.from({ length: conversations }, (_, conversation) => one(conversation)));
  return { times, total: performance.now() - from };
}

async function benchChat(knowledgeBase) {
  const endpoint = await startScriptedOpenAi({ chat: answer });
  const llm = { LLM_BASE_URL: endpoint.url, LLM_API_KEY: endpoint.apiKey, LLM_MODEL: 'scripted' };
  const env = { KB_URL: knowledgeBase.url, LLM_CONCURRENCY: String(MODEL_CALLS), LOG_LEVEL: 'info', ...llm };
  const models = await Promise.all(
    Array.from({ length: USERS }, () =>
      openChatModel({
        llmBaseUrl: endpoint.url,
        llmApiKey: endpoint.apiKey,
        llmModel: 'scripted',
        llmConcurrency: MODEL_CALLS,
        llmStructured: 'json_object',
        llmTimeoutMs: 60_000,
      }),
    ),
  );
  const servers = await Promise.all(Array.from({ length: USERS }, (_, user) => startTypedMemory(`user ${user}`, env)));
  try {
    const alone = await converse(async (user, conversation, at) => {
      const messages = [{ role: 'user', content: toMessage(user, conversation, at) }];
      await Promise.all([models[user].complete({ messages }), models[user].complete({ messages })]);
    });
    const cpu = () => [process.pid, knowledgeBase.pid, ...servers.map(({ pid }) => pid)].map(cpuTime);
    const before = cpu();
    const chats = await converse(async (user, conversation, at) => {
      const args = { message: toMessage(user, conversation, at), conversation_id: String(conversation) };
      const { response, memory_updates: updates } = await callTool(servers[user].url, 'memory_chat', args);
      if (!response.startsWith(mark(user, conversation))) crossTalk += 1;
      if (updates.length !== 1 || !updates[0].content.startsWith(mark(user, conversation))) crossTalk += 1;
    });
    const [bench, base, ...own] = cpu().map((time, at) => (time - before[at]) / (conversations * turns));
    const row = (name, { times, total }) => [
      name,
      ((conversations * turns * 1_000) / total).toFixed(1),
      ms(percentile(times, 0.5)),
      ms(percentile(times, 0.95)),
    ];
    const bound = (USERS * MODEL_CALLS * 1_000) / MODEL_MS / 2;
    print(
      `\n${conversations} conversations of ${USERS} users at once, ${turns} turns each; two calls of ${MODEL_MS} ms a turn,`,
    );
    print(`${USERS * MODEL_CALLS} calls at once: no more than ${bound.toFixed(0)} turns a second.\n`);
    print(
      toTable(['', 'turns a second', 'p50 ms', 'p95 ms'], [row('the model alone', alone), row('memory_chat', chats)]),
    );
    const ofServers = own.reduce((sum, time) => sum + time, 0);
    print(
      `CPU ms a turn: servers ${ms(ofServers)}, knowledge base ${ms(base)}, scripted model and callers ${ms(bench)}.`,
    );
    const peaks = servers.map(({ pid }) => peakMemory(pid)?.toFixed(0));
    print(`\nOf its limit: ${((100 * alone.total) / chats.total).toFixed(0)} %. Turns with cross-talk: ${crossTalk}.`);
    print(
      `Peak memory, MiB: servers ${peaks.join(', ')}; knowledge base ${peakMemory(knowledgeBase.pid)?.toFixed(0)}.`,
    );
    if (crossTalk > 0) process.exitCode = 1;
  } finally {
    await Promise.all(servers.map(({ stop }) => stop()));
    await endpoint.close();
  }
}

const types = ['core', 'episodic', 'semantic', 'procedural', 'resource'];
const DAY_MS = 86_400_000;

/** The n-th memory of a user, written over three years. */
function toDraft(at, now) {
  const type = types[at % types.length];
  const content = `Note ${at}: ${things[at % 6]} at the ${places[(at * 7) % 6]} with ${['Ann', '小雨', 'Bo', '陈老师'][at % 4]}, number ${(at * 7_919) % 10_007}`;
  const occurredAt = type === 'episodic' ? new Date(now - (at % 1_000) * DAY_MS).toISOString() : undefined;
  return { type, content, importance: 1 + (at % 10), occurredAt, details: toDetails(type, content, undefined) };
}

async function fill(url, userId, from, to) {
  for (let at = from; at < to; at += 250) {
    const documents = [];
    for (let one = at; one < Math.min(to, at + 250); one += 1) {
      const now = Date.now() - ((to - one) % 1_000) * DAY_MS;
      documents.push(...toDocuments(userId, toDraft(one, now), { now: new Date(now) }));
    }
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ documents }),
    };
    const response = await fetch(`${url}/batch_add`, init);
    if (!response.ok) throw new Error(await response.text());
  }
}

async function benchGrowth(knowledgeBase) {
  const rows = [];
  const user = 'a user of many memories';
  const server = await startTypedMemory(user, { KB_URL: knowledgeBase.url });
  const call = (name, args) => callTool(server.url, name, args);
  try {
    let filled = 0;
    for (const memories of levels) {
      await fill(knowledgeBase.url, user, filled, memories);
      filled = memories;
      const add = await measure(100, (at) =>
        call('memory_add', { content: `A new note ${memories}.${at}`, memory_type: 'semantic' }),
      );
      const core = await measure(50, (at) =>
        call('memory_add', { content: `I live in town ${memories}.${at}`, memory_type: 'core' }),
      );
      const query = (at) => ({ query: `${things[at % 6]} ${places[(at * 5) % 6]} ${(at * 7_919) % 10_007}` });
      const search = await measure(100, (at) => call('memory_search', query(at)));
      await call('memory_search', query(0));
      const again = await measure(100, () => call('memory_search', query(0)));
      const profile = await measure(20, () => call('memory_get_profile', {}));
      for (const [name, { p50, p95 }] of Object.entries({ add, core, search, again, profile })) {
        rows.push([memories, names[name], ms(p50), ms(p95)]);
      }
    }
    print('\nOne user, one call at a time:\n');
    print(toTable(['memories', 'call', 'p50 ms', 'p95 ms'], rows));
    print(
      `\nPeak memory, MiB: server ${peakMemory(server.pid)?.toFixed(0)}; knowledge base ${peakMemory(knowledgeBase.pid)?.toFixed(0)}.`,
    );
  } finally {
    await server.stop();
  }
}
const names = {
  add: 'memory_add',
  core: 'memory_add of the next value of a core fact',
  search: 'memory_search',
  again: 'the same search again',
  profile: 'memory_get_profile',
};

const folder = await mkdtemp(join(tmpdir(), 'typed-memory-bench-'));
const knowledgeBase = await startKnowledgeBase(folder);
try {
  await benchChat(knowledgeBase);
  await benchGrowth(knowledgeBase);
} finally {
  await knowledgeBase.stop();
  await rm(folder, { recursive: true, force: true });
}
