// The knowledge base in this process over each kind of store, new and empty.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ChromaClient } from 'chromadb';
import { openLocalKnowledgeBase } from '../../build/open-local.js';
import { place } from '../place.mjs';

async function openEmbedded(embedding) {
  const dataDir = await mkdtemp(join(tmpdir(), 'contextloom-bench-recall-'));
  const knowledgeBase = await openLocalKnowledgeBase({ ...place, ...embedding, dataDir });
  const close = async () => {
    await knowledgeBase.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { name: 'embedded', knowledgeBase, close };
}

/** Sets share ids, so that each has collections of its own. */
async function openChroma(embedding, chromaUrl) {
  const chromaCollection = `bench-recall-${randomUUID()}`;
  const dataDir = await mkdtemp(join(tmpdir(), 'contextloom-bench-recall-'));
  const knowledgeBase = await openLocalKnowledgeBase({
    ...place,
    ...embedding,
    dataDir,
    chromaUrl,
    chromaCollection,
  });
  const close = async () => {
    await knowledgeBase.close();
    await rm(dataDir, { recursive: true, force: true });
    const { hostname, port, protocol } = new URL(chromaUrl);
    const client = new ChromaClient({ host: hostname, port: Number(port), ssl: protocol === 'https:' });
    for (const { name } of await client.listCollections()) {
      if (name.startsWith(chromaCollection)) await client.deleteCollection({ name });
    }
  };
  return { name: 'chroma', knowledgeBase, close };
}

/** What `--store` may name: which stores are measured, the first of them as the product's own. */
export const storeChoices = { embedded: ['embedded'], chroma: ['chroma'], both: ['embedded', 'chroma'] };

/**
 * Opens the chosen stores.
 * @param choice `store`, a key of `storeChoices`; `embedding`, the settings of the embedder; `chromaUrl`, where one is on Chroma
 */
export async function openStores({ store, embedding, chromaUrl }) {
  const openers = { embedded: () => openEmbedded(embedding), chroma: () => openChroma(embedding, chromaUrl) };
  const opened = [];
  for (const name of storeChoices[store]) opened.push(await openers[name]());
  return opened;
}
