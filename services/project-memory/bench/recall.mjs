// What the vector index finds of what an exact search finds, under the filters that searches have.
import { openEmbedder } from '@contextloom/llm';
import { percentile, timed } from '../../../shared/tooling/bench-figures.mjs';
import { createSqlMemoryStore } from '../build/store/sql-memory-store.js';
import { createRandom, toQuestion } from './notes.mjs';

/** Hits that are compared. */
const TOP = 10;
/** Fragments that a search asks the store for. */
const POOL = 100;

const idsOf = (hits) => [...new Set(hits.map(({ memoryId }) => memoryId))].slice(0, TOP);

function toSelections([few, many], random) {
  const projectOf = ({ from, projects }) => ({ key: `project-${from + Math.floor(random() * projects)}` });
  return {
    'all of an owner with nearly everything': () => ({ ownerId: many.ownerId }),
    'one type of it': () => ({ ownerId: many.ownerId, contentType: 'insight' }),
    'one project of it': () => ({ ownerId: many.ownerId, project: projectOf(many) }),
    'all of an owner with few': () => ({ ownerId: few.ownerId }),
  };
}

/** Lines of a table: recall@10 of the index alone, and the milliseconds of both. */
export async function measureRecall({ engine, embedding, shares, queries }) {
  if (engine.open === undefined) return [];
  const embedder = await openEmbedder(embedding);
  const open = (exactUpTo) =>
    createSqlMemoryStore(engine.open(exactUpTo), {
      space: embedder.identity,
      onMismatch: 'refuse',
      split: (text) => [text],
    });
  const [exact, indexed] = [await open(Number.MAX_SAFE_INTEGER), await open(0)];
  const random = createRandom(4_711);
  const lines = [];
  for (const [name, toSelection] of Object.entries(toSelections(shares, random))) {
    const [recalls, exactMs, indexedMs] = [[], [], []];
    for (let at = 0; at < queries; at += 1) {
      const selection = toSelection();
      const project = shares[1].from + Math.floor(random() * shares[1].projects);
      const [vector] = await embedder.embed([toQuestion(at, project, random)]);
      const truth = await timed(() => exact.findByVector(selection, vector, POOL));
      const answer = await timed(() => indexed.findByVector(selection, vector, POOL));
      const wanted = idsOf(truth.value);
      const found = new Set(idsOf(answer.value));
      recalls.push(wanted.filter((id) => found.has(id)).length / wanted.length);
      exactMs.push(truth.ms);
      indexedMs.push(answer.ms);
    }
    const mean = recalls.reduce((sum, value) => sum + value, 0) / recalls.length;
    const worst = Math.min(...recalls);
    const p50 = (times) => percentile(times, 0.5).toFixed(1);
    lines.push([
      `recall@10 of the index, ${name}`,
      `${mean.toFixed(3)} (worst ${worst.toFixed(1)}); ${p50(indexedMs)} ms, exact ${p50(exactMs)} ms`,
    ]);
  }
  await Promise.all([exact.close(), indexed.close()]);
  return lines;
}
