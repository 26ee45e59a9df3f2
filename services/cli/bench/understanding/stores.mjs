// The five stores behind their own doors: real processes, asked through MCP.

import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createUpstreams } from '@contextloom/mcp-client';
import { silentLog } from '@contextloom/runtime';
import { environment, service, startKnowledgeBase } from '../stack.mjs';

const server = (name, env, args = []) => ({
  command: process.execPath,
  args: [service(name), ...args],
  env: { ...environment, ...env },
});

const toServers = (folder, url, names, env) => ({
  'knowledge-base': server('knowledge-base', { KB_URL: url }),
  'personal-memory': server('personal-memory', {
    ...env,
    PERSONAL_MEMORY_DATA_DIR: join(folder, 'personal'),
    MULTI_USER: 'true',
  }),
  'project-memory': server('project-memory', { ...env, PROJECT_MEMORY_DATA_DIR: join(folder, 'project') }),
  ...Object.fromEntries(
    names.map((name) => [
      `typed-memory-${name}`,
      server('typed-memory', { KB_URL: url, DEFAULT_USER_ID: `typed-${name}` }),
    ]),
  ),
  ...Object.fromEntries(
    names.map((name) => [
      `agent-memory-${name}`,
      server('agent-memory', {
        ...env,
        AGENT_MEMORY_WORKSPACE: join(folder, 'workspaces', name),
        AGENT_MEMORY_DATA_DIR: join(folder, 'agent'),
      }),
    ]),
  ),
});

/** How each store takes a memory, finds some, and finds some by keywords, where it has a tool for that. */
const stores = {
  'knowledge base': {
    add: (call, name, content) =>
      call('knowledge-base', 'add_document', { content, tags: ['memory'], metadata: { user_id: name } }),
    find: async (call, name, query) =>
      (
        await call('knowledge-base', 'search_documents', { query, tags_any: ['memory'], user_id: name, top_k: 10 })
      ).results.map(({ content, relevance }) => ({ text: content, score: relevance })),
  },
  'personal memory': {
    add: (call, name, description) =>
      call('personal-memory', 'add_event', { user_id: name, event_type: 'other', description }),
    find: async (call, name, query) =>
      (await call('personal-memory', 'search_events', { user_id: name, query, limit: 10 })).events.map(
        ({ description, relevance }) => ({ text: description, score: relevance }),
      ),
    findByKeyword: async (call, name, keyword) =>
      (await call('personal-memory', 'search_events', { user_id: name, keywords: [keyword] })).events,
  },
  'typed memory': {
    add: (call, name, content) => call(`typed-memory-${name}`, 'memory_add', { content, memory_type: 'semantic' }),
    find: async (call, name, query) =>
      (await call(`typed-memory-${name}`, 'memory_search', { query })).memories.map(({ content, relevance }) => ({
        text: content,
        score: relevance,
      })),
  },
  'agent memory': {
    add: (call, name, content) => call(`agent-memory-${name}`, 'add_entry', { content }),
    find: async (call, name, query) =>
      (await call(`agent-memory-${name}`, 'search_entries', { query })).items.map(({ entry, relevance }) => ({
        text: entry.content,
        score: relevance,
      })),
  },
  'project memory': {
    add: (call, name, content) =>
      call('project-memory', 'mem.ingest_memory', { project_key: name, content_type: 'insight', content }),
    find: async (call, name, query) =>
      (await call('project-memory', 'mem.search', { project_key: name, query, limit: 10 })).results.map(
        ({ snippet, relevance }) => ({ text: snippet, score: relevance }),
      ),
  },
};

/** Starts empty stores for some sets, whose embedder `env` names. `stores` are those by name; `close()` ends and removes all. */
export async function startStores(names, env) {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-understanding-'));
  const knowledgeBase = await startKnowledgeBase(join(folder, 'knowledge'), env);
  const upstreams = createUpstreams({
    servers: toServers(folder, knowledgeBase.url, names, env),
    clientName: 'bench',
    clientVersion: '0.1.0',
    log: silentLog,
  });
  const call = async (name, tool, args) => {
    const answer = await upstreams.call(name, tool, args, { timeoutMs: 60_000 });
    if (answer.kind !== 'ok') throw new Error(`${name} ${tool}: ${JSON.stringify(answer)}`);
    return answer.value.structured;
  };
  return {
    stores: Object.entries(stores).map(([title, store]) => ({
      title,
      add: (name, text) => store.add(call, name, text),
      find: (name, query) => store.find(call, name, query),
      findByKeyword: store.findByKeyword && ((name, keyword) => store.findByKeyword(call, name, keyword)),
    })),
    close: async () => {
      await upstreams.close();
      knowledgeBase.child.kill('SIGTERM');
      if (knowledgeBase.child.exitCode === null) await once(knowledgeBase.child, 'exit');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
