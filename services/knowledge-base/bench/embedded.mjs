// The knowledge base in this process over a SQLite file, with the settings of the store that benchmarks compare.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createLexicalEmbedder } from '@contextloom/llm';
import { createKnowledgeBase } from '../build/domain/local-knowledge-base.js';
import { openSqliteStore } from '../build/store/sqlite/store.js';
import { toDocument } from './corpus.mjs';

const BATCH = 1_000;
const embedder = createLexicalEmbedder();

/** A folder for one run, and how to be rid of it. */
export async function makeFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-bench-embedded-'));
  return { file: join(folder, 'knowledge-base.sqlite'), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Opens the knowledge base over a file, which others may have open too. */
export async function openEmbedded(file, settings = {}) {
  const store = await openSqliteStore({ file, embedder: embedder.identity, ...settings });
  return createKnowledgeBase({
    store,
    embedder,
    isolation: 'off',
    clock: () => new Date(),
    newId: randomUUID,
  });
}

/** Adds documents number `from` to `to`, telling how far it is. */
export async function load(knowledgeBase, { from = 0, to, userOf, random }) {
  for (let first = from; first < to; first += BATCH) {
    const count = Math.min(BATCH, to - first);
    await knowledgeBase.add(
      Array.from({ length: count }, (_, at) => toDocument(first + at, userOf(first + at), random)),
    );
    process.stderr.write(`\r${first + count} documents`);
  }
  process.stderr.write('\n');
}
