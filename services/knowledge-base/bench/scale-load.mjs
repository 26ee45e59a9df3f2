// What bench:scale stores and asks: whose each memory is, and one process of several that search or store.
import process from 'node:process';
import { createRandom, inParallel } from '../../../shared/tooling/bench-figures.mjs';
import { toDocument, toQuery } from './corpus.mjs';

/** One of so many memories is the one person's who has many, until that person has HEAVY. */
const MANY = 10;
const HEAVY = 10_000;

/** Memories come in turn from all users: what one has lies all over the tables. */
export const toUser = (number, users) =>
  number % MANY === 0 && number < HEAVY * MANY
    ? 'many'
    : `user-${(number - Math.min(HEAVY, Math.ceil(number / MANY))) % users}`;

/** Another person at each call, far from the one before: what is in memory of others is of no use. */
const toSome = (at, users) => (at * 7_919) % users;

/** The calls that are measured, of a knowledge base with memories of so many users. */
export function createCalls(knowledgeBase, users, seed) {
  const random = createRandom(seed);
  const first = Math.floor(random() * users);
  const search = (at, user) =>
    knowledgeBase.search({ query: toQuery(at, random), top_k: 10, metadata_filter: { user_id: user } });
  return {
    search: (at) => search(at, `user-${toSome(first + at, users)}`),
    searchMany: (at) => search(at, 'many'),
    store: (at) => {
      const { doc_id: _id, ...document } = toDocument(at, `user-${toSome(first + at, users)}`, random);
      return knowledgeBase.add([document]);
    },
  };
}

/** How many calls a second a process makes, so many at once, for as many milliseconds. */
async function countCalls(call, atOnce, ms) {
  const until = performance.now() + ms;
  let made = 0;
  let at = 0;
  await inParallel(Array.from({ length: atOnce }), atOnce, async () => {
    while (performance.now() < until) {
      at += 1;
      await call(at);
      made += 1;
    }
  });
  return (1_000 * made) / ms;
}

/** One process of several: tells when it is ready, and works once it is told to. */
async function serve() {
  const { where, users, seed, atOnce, ms } = JSON.parse(process.argv[2]);
  const { openScaleKnowledgeBase } = await import('./scale-sides.mjs');
  const knowledgeBase = await openScaleKnowledgeBase(where);
  const calls = createCalls(knowledgeBase, users, seed);
  await calls.search(0);
  process.on('message', async (what) => {
    if (what === 'end') {
      await knowledgeBase.close();
      process.disconnect();
    } else process.send(await countCalls(calls[what], atOnce, ms));
  });
  process.send('ready');
}

if (process.send !== undefined && process.argv[1]?.endsWith('scale-load.mjs')) await serve();
