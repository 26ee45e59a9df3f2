import { expect, it } from '@jest/globals';
import { openEmbedded, openPlainPostgres, openPostgres, type TestDatabase } from './support/databases.ts';
import { createMemory, openStore } from './support/memory.ts';

const SUBJECTS = [
  'tide table',
  'lock gate',
  'crane',
  'pilot',
  '潮汐表',
  '闸门',
  'night watch',
  'radio',
  'quay',
  'buoy',
];
const ACTS = ['was moved to', 'is checked by', 'waits for', 'was painted by', '由谁检查', 'replaced', 'reports to'];
const PLACES = ['the harbour office', 'berth seven', '三号码头', 'the northern pier', 'Bergen', 'the old mill', '灯塔'];

/** Numbers that look random, and are the same at every run. */
function createRandom(): (below: number) => number {
  let state = 7_919;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** The same notes in an engine, and what it answers to the same questions. */
async function answer(opened: TestDatabase): Promise<readonly unknown[]> {
  const random = createRandom();
  const pick = (words: readonly string[]): string => words[random(words.length)] ?? '';
  const sentence = (): string => `The ${pick(SUBJECTS)} ${pick(ACTS)} ${pick(PLACES)} in week ${random(50)}.`;
  let number = 0;
  const newId = (): string => {
    number += 1;
    return `note${number}`;
  };
  const { memory } = createMemory(await openStore(opened), { ownerId: 'ann', newId });
  for (let at = 0; at < 80; at += 1) {
    const content = Array.from({ length: 1 + random(at % 20 === 0 ? 60 : 4) }, sentence).join(' ');
    // Times that differ, so that no tie is settled by when a machine was how fast.
    await memory.ingest({ project_name: `p${at % 3}`, content_type: 'plan', content, ts: 1_700_000_000 + at });
  }
  const answers: unknown[] = [];
  for (let at = 0; at < 40; at += 1) {
    const query = at % 3 === 0 ? `${pick(SUBJECTS)} ${pick(PLACES)}` : sentence();
    const project = at % 2 === 0 ? {} : { project_name: `p${at % 3}` };
    const { results, total, nearest } = await memory.search({ ...project, query, scope: 'all', limit: 10 });
    answers.push({ query, results, total, nearest });
  }
  await opened.close();
  return answers;
}

it('answers the same from SQLite and from Postgres, without and with pgvector', async () => {
  const embedded = await answer(await openEmbedded());
  expect(embedded.length).toBe(40);
  expect(await answer(await openPlainPostgres())).toEqual(embedded);
  expect(await answer(await openPostgres())).toEqual(embedded);
}, 600_000);
