// What others find with the same encoder, asked the same questions in the same run: mem0's open package in raw mode, Mastra's memory
// and SQLite's full-text index fused with the encoder's cosine. The packages are installed on demand, next to no code of ours.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { access, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const PACKAGES = ['mem0ai@3.3.1', '@mastra/memory@0.15.13', '@mastra/libsql@0.16.4', '@mastra/core@0.24.9'];
const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'contextloom', 'panel-peers-1');
/** Rank fusion as it is usually done. */
const K = 60;

/** Installs the packages without their scripts, once. */
async function install() {
  const isThere = await access(join(folder, 'done')).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    await mkdir(folder, { recursive: true });
    const flags = [
      '--no-save',
      '--no-package-lock',
      '--no-audit',
      '--no-fund',
      '--ignore-scripts',
      '--legacy-peer-deps',
    ];
    await promisify(execFile)('npm', ['install', '--prefix', folder, ...flags, ...PACKAGES], { cwd: folder });
    await mkdir(join(folder, 'done'));
  }
  // SQLite's binary is the one that is here already: at each run, since the clone that installed them may be gone.
  const ours = dirname(createRequire(import.meta.url).resolve('better-sqlite3/package.json'));
  await rm(join(folder, 'node_modules', 'better-sqlite3'), { recursive: true, force: true });
  await symlink(ours, join(folder, 'node_modules', 'better-sqlite3'));
}

/** Imports an installed package by its ECMAScript entry. */
async function importPeer(path) {
  return await import(pathToFileURL(join(folder, 'node_modules', ...path.split('/'))).href);
}

/** The vectors of the encoder's endpoint, by texts. */
function createEncode({ embeddingBaseUrl, embeddingModel }) {
  return async (input) => {
    const body = JSON.stringify({ model: embeddingModel, input, encoding_format: 'float' });
    const response = await fetch(`${embeddingBaseUrl}/embeddings`, { method: 'POST', body });
    return (await response.json()).data.map(({ embedding }) => embedding);
  };
}

/** mem0 without a model: texts as they are, its own fusion of vectors, words and entities. */
async function openMem0(embedding, dimension, place) {
  const { Memory } = await importPeer('mem0ai/dist/oss/index.mjs');
  const endpoint = { apiKey: 'none', baseURL: embedding.embeddingBaseUrl, model: embedding.embeddingModel };
  const memory = new Memory({
    embedder: { provider: 'openai', config: endpoint },
    vectorStore: {
      provider: 'memory',
      config: { collectionName: 'panel', dimension, dbPath: join(place, 'mem0.db') },
    },
    llm: { provider: 'openai', config: { ...endpoint, model: 'none' } },
    disableHistory: true,
  });
  return {
    add: ({ id, user, content }) => memory.add(content, { userId: user, metadata: { panel: id }, infer: false }),
    search: async ({ user, question }, depth) => {
      const { results } = await memory.search(question, { topK: depth, threshold: 0, filters: { user_id: user } });
      return results.map(({ metadata, score }) => ({ id: metadata.panel, score }));
    },
  };
}

/** Mastra's memory: semantic recall over all threads of a user, in the order of its vector store. */
async function openMastra(encode, place) {
  const [{ Memory }, { LibSQLStore, LibSQLVector }] = await Promise.all([
    importPeer('@mastra/memory/dist/index.js'),
    importPeer('@mastra/libsql/dist/index.js'),
  ]);
  const url = `file:${join(place, 'mastra.db')}`;
  const vector = new LibSQLVector({ connectionUrl: url });
  const query = vector.query.bind(vector);
  let latest = [];
  vector.query = async (...request) => {
    latest = await query(...request);
    return latest;
  };
  const embedder = {
    specificationVersion: 'v2',
    provider: 'panel',
    modelId: 'encoder',
    maxEmbeddingsPerCall: 64,
    supportsParallelCalls: false,
    doEmbed: async ({ values }) => ({ embeddings: await encode(values) }),
  };
  const recall = { topK: 20, messageRange: 0, scope: 'resource' };
  const options = { lastMessages: false, semanticRecall: recall };
  const memory = new Memory({ storage: new LibSQLStore({ url }), vector, embedder, options });
  const threads = new Set();
  const threadOf = async (user) => {
    if (!threads.has(user)) {
      threads.add(user);
      const now = new Date();
      await memory.saveThread({ thread: { id: user, resourceId: user, title: user, createdAt: now, updatedAt: now } });
    }
    return user;
  };
  return {
    add: async ({ id, user, content, metadata }) => {
      const message = { id, threadId: await threadOf(user), resourceId: user, createdAt: new Date(), type: 'text' };
      const role = metadata.speaker === 'assistant' ? 'assistant' : 'user';
      const parts = { format: 2, parts: [{ type: 'text', text: content }], content };
      await memory.saveMessages({ messages: [{ ...message, role, content: parts }], format: 'v2' });
    },
    search: async ({ user, question }) => {
      latest = [];
      await memory.query({ threadId: user, resourceId: user, selectBy: { vectorSearchString: question } });
      const scores = new Map();
      for (const { metadata, score } of latest) {
        if (!scores.has(metadata.message_id)) scores.set(metadata.message_id, score);
      }
      return [...scores].map(([id, score]) => ({ id, score }));
    },
  };
}

/** Fuses two baselines' answers by ranks. */
function fuse(first, second, depth) {
  const scores = new Map();
  for (const { hits } of [first, second]) {
    for (const [at, { id }] of hits.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (K + at + 1));
  }
  const hits = [...scores].sort(([, a], [, b]) => b - a).slice(0, depth);
  return {
    hits: hits.map(([id, score]) => ({ id, score: score * (K + 1) * 0.5 })),
    milliseconds: first.milliseconds + second.milliseconds,
  };
}

async function askPeer({ add, search }, { documents, questions }, depth) {
  for (const document of documents) await add(document);
  const answers = [];
  for (const question of questions) {
    const from = performance.now();
    const hits = await search(question, depth);
    answers.push({ hits, milliseconds: performance.now() - from });
  }
  return answers;
}

/**
 * Asks the peers every question.
 * @param plain the answers of the baselines, of which the full-text index and the encoder's vectors are fused
 * @param embedding the endpoint of the encoder
 */
export async function askPeers(set, depth, { plain, embedding }) {
  process.env.MEM0_TELEMETRY = 'false';
  await install();
  const encode = createEncode(embedding);
  const [{ length: dimension }] = await encode(['size']);
  const place = await mkdtemp(join(tmpdir(), `contextloom-peers-${randomUUID()}`));
  try {
    const fts5 = plain.get('SQLite FTS5');
    const vectors = plain.get('vectors of the encoder');
    return new Map([
      ['FTS5 + encoder', fts5.map((answer, at) => fuse(answer, vectors[at], depth))],
      ['mem0 (raw)', await askPeer(await openMem0(embedding, dimension, place), set, depth)],
      ['Mastra memory', await askPeer(await openMastra(encode, place), set, depth)],
    ]);
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
