// What is compared: the knowledge base over each of its stores, and Chroma's own client with the equivalent `where`.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLexicalEmbedder } from '@contextloom/llm';
import { ChromaClient } from 'chromadb';
import { openLocalKnowledgeBase } from '../build/open-local.js';
import { place as benchPlace } from './place.mjs';

const TOP_K = 10;
/** What is compared with Chroma's own client has no users to keep apart. */
const place = { ...benchPlace, isolation: 'off' };

const withoutId = ({ doc_id: _id, ...document }) => document;

function toSide(name, knowledgeBase, close) {
  return {
    name,
    add: (document) => knowledgeBase.add([document]),
    addNew: (document) => knowledgeBase.add([withoutId(document)]),
    addMany: (documents) => knowledgeBase.add(documents),
    search: ({ query, user, tag, least }) =>
      knowledgeBase.search({
        query,
        top_k: TOP_K,
        metadata_filter: { ...(user && { user_id: user }), ...(least && { importance: { gte: least } }) },
        ...(tag && { tags: [tag] }),
      }),
    close,
  };
}

/** The knowledge base in this process, over a SQLite file. */
export async function openEmbeddedSide() {
  const dataDir = await mkdtemp(join(tmpdir(), 'contextloom-bench-kb-'));
  const knowledgeBase = await openLocalKnowledgeBase({ ...place, dataDir });
  return toSide('embedded', knowledgeBase, async () => {
    await knowledgeBase.close();
    await rm(dataDir, { recursive: true, force: true });
  });
}

/** The knowledge base in this process, over a Chroma server. */
export async function openChromaSide(url) {
  const dataDir = await mkdtemp(join(tmpdir(), 'contextloom-bench-kb-'));
  const knowledgeBase = await openLocalKnowledgeBase({ ...place, dataDir, chromaUrl: url });
  return toSide('Chroma through us', knowledgeBase, async () => {
    await knowledgeBase.close();
    await rm(dataDir, { recursive: true, force: true });
  });
}

const toRow = ({ tags, metadata: { occurred_at, ...rest } }) => ({
  ...rest,
  occurred_at: Date.parse(occurred_at) / 1_000,
  ...Object.fromEntries(tags.map((tag) => [`tag_${tag}`, true])),
});

function toWhere({ user, tag, least }) {
  const parts = [
    ...(user ? [{ user_id: user }] : []),
    ...(tag ? [{ [`tag_${tag}`]: true }] : []),
    ...(least ? [{ importance: { $gte: least } }] : []),
  ];
  if (parts.length === 0) return {};
  return { where: parts.length === 1 ? parts[0] : { $and: parts } };
}

/** Chroma's own client: nearness alone, since that is what one query of it offers. */
export async function openDirectSide(url) {
  const { hostname, port } = new URL(url);
  const client = new ChromaClient({ host: hostname, port: Number(port) });
  const configuration = { hnsw: { space: 'cosine' } };
  const collection = await client.createCollection({ name: 'direct', embeddingFunction: null, configuration });
  const embedder = createLexicalEmbedder();
  const embed = async (texts) => (await embedder.embed(texts)).map((vector) => [...vector]);
  const addMany = async (documents, ids = documents.map(({ doc_id }) => doc_id)) => {
    const texts = documents.map(({ content }) => content);
    await collection.add({ ids, documents: texts, embeddings: await embed(texts), metadatas: documents.map(toRow) });
  };
  return {
    name: 'Chroma directly',
    add: (document) => addMany([document]),
    addNew: (document) => addMany([document], [randomUUID()]),
    addMany: (documents) => addMany(documents),
    search: async (asked) => {
      const queryEmbeddings = await embed([asked.query]);
      return collection.query({ queryEmbeddings, nResults: TOP_K, ...toWhere(asked) });
    },
    close: () => client.deleteCollection({ name: 'direct' }),
  };
}
