// How adding, timelines, searches and sums behave as the events of 1,000 users grow. The filling writes 500 events a transaction, of
// 2,000 different texts; what is measured is one call at a time.
// node services/personal-memory/bench/growth.mjs [events,events,…]
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createLexicalEmbedder } from '@contextloom/llm';
import { measure, ms, toTable } from '../../../shared/tooling/bench-figures.mjs';
import { toSearchable } from '../build/domain/context.js';
import { addEvent, listTimeline } from '../build/domain/events/events.js';
import { summarizeEvents } from '../build/domain/events/summaries.js';
import { searchEvents } from '../build/domain/search/search.js';
import { openSharedStore } from '../build/store/shared-store.js';
import { toFact } from './facts.mjs';

const USERS = 1_000;
const ENTITIES = 10;
const TEXTS = 2_000;
const BATCH = 500;
const levels = (process.argv[2] ?? '10000,100000,1000000').split(',').map(Number);

const folder = mkdtempSync(join(tmpdir(), 'contextloom-growth-'));
const file = join(folder, 'memory.db');
const embedder = createLexicalEmbedder();
const embed = async (text) => (await embedder.embed([text]))[0];
const store = openSharedStore({
  file,
  backupFolder: join(folder, 'backups'),
  dimensions: embedder.identity.dimensions,
  fingerprint: 'lexical',
  toSearchable: (text) => toSearchable(text, { embed }),
});
const common = { clock: () => new Date(), zone: 'Asia/Shanghai', maxEvents: 100, embed };
const use = (user, work) => store.use(`user ${user}`, (memory) => work({ ...common, memory }));

/** The entities of each user, made at first. */
async function createEntities() {
  const ids = [];
  for (let user = 0; user < USERS; user += 1) {
    const entity = {
      type: 'person',
      aliases: [],
      attributes: {},
      tags: [],
      status: 'active',
      createdAt: 0,
      updatedAt: 0,
    };
    ids.push(
      await use(user, ({ memory }) =>
        memory.change(async (writer) => {
          const numbers = [];
          for (let at = 0; at < ENTITIES; at += 1)
            numbers.push(await writer.addEntity({ ...entity, name: `person ${at}` }));
          return numbers;
        }),
      ),
    );
  }
  return ids;
}

async function fill(from, to, entityIds, texts) {
  // A user's events come in a row, so that a transaction is of one user.
  const perUser = Math.ceil((to - from) / USERS);
  for (let user = 0; user < USERS; user += 1) {
    for (let done = 0; done < perUser; done += BATCH) {
      await use(user, ({ memory }) =>
        memory.change(async (writer) => {
          for (let at = done; at < Math.min(perUser, done + BATCH); at += 1) {
            const number = from + user * perUser + at;
            const { type, cost, time } = toFact(number);
            const { description } = toFact(number % TEXTS);
            const event = {
              type,
              description,
              time: time - (number % 86_400_000),
              importance: 0.5,
              parentId: null,
              tags: [],
              metadata: { cost },
            };
            await writer.addEvent(
              { ...event, entityIds: [entityIds[user][number % ENTITIES]] },
              Date.now(),
              texts[number % TEXTS],
            );
          }
        }),
      );
    }
  }
}

const rows = [];
try {
  const entityIds = await createEntities();
  const texts = [];
  for (let at = 0; at < TEXTS; at += 1) texts.push(await toSearchable(toFact(at).description, { embed }));
  let filled = 0;
  for (const events of levels) {
    const from = performance.now();
    await fill(filled, events, entityIds, texts);
    filled = events;
    const seconds = (performance.now() - from) / 1_000;
    const user = (at) => (at * 37) % USERS;
    const add = await measure(200, (at) =>
      use(user(at), (context) =>
        addEvent(
          {
            event_type: 'other',
            description: toFact(at).description,
            importance: 0.5,
            related_entity_ids: [entityIds[user(at)][0]],
          },
          context,
        ),
      ),
    );
    const timeline = await measure(200, (at) =>
      use(user(at), (context) => listTimeline({ entityId: entityIds[user(at)][1], limit: 10, offset: 0 }, context)),
    );
    const search = await measure(200, (at) =>
      use(user(at), (context) =>
        searchEvents({ query: at % 2 ? '红烧肉' : 'plum cake', match_mode: 'any', limit: 20, offset: 0 }, context),
      ),
    );
    const sums = await measure(200, (at) =>
      use(user(at), (context) => summarizeEvents({ by: 'month', field: 'cost', filter: {} }, context)),
    );
    const pair = ({ p50, p95 }) => `${ms(p50)} / ${ms(p95)}`;
    const size = (statSync(file).size + (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0)) / 2 ** 20;
    rows.push([
      events,
      pair(add),
      pair(timeline),
      pair(search),
      pair(sums),
      `${size.toFixed(0)} MiB`,
      `${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MiB`,
      `${seconds.toFixed(0)} s`,
    ]);
    process.stderr.write(`${rows.at(-1).join('  ')}\n`);
  }
  process.stdout.write(`${USERS} users in one file; milliseconds p50 / p95 of 200 calls\n\n`);
  process.stdout.write(
    `${toTable(['events', 'add', 'timeline', 'search', 'sums by month', 'file', 'memory', 'filled in'], rows)}\n`,
  );
} finally {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
}
