import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Bench, loadPanel, makeSet } from './support/panel.ts';

const names = [
  'facts-en',
  'facts-zh',
  'chats-en',
  'chats-zh',
  'group-chat',
  'decisions',
  'notes',
  'logs-en',
  'logs-zh',
  'long-en',
  'long-zh',
];

let panel: Bench;
beforeAll(async () => {
  panel = await loadPanel();
});

describe('the sets of the panel', () => {
  it.each(names)('have evidence that is there, and enough questions in both halves: %s', async (name) => {
    const { documents, questions } = await makeSet(panel, name);
    const ids = new Set(documents.map(({ id }) => id));
    expect(ids.size).toBe(documents.length);
    expect(questions.flatMap(({ evidence }) => evidence.filter((id) => !ids.has(id)))).toEqual([]);
    expect(new Set(questions.map(({ user, question }) => `${user} ${question}`)).size).toBe(questions.length);
    for (const half of [true, false]) {
      const own = questions.filter((one) => panel.isHeldOut(one) === half);
      expect(own.filter(({ evidence }) => evidence.length > 0).length).toBeGreaterThan(90);
      expect(own.filter(({ evidence }) => evidence.length === 0).length).toBeGreaterThan(20);
    }
  });

  it('are the same at every run', async () => {
    for (const name of names) expect(await makeSet(panel, name)).toEqual(await makeSet(panel, name));
  });
});
