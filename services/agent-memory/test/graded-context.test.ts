import type { LoadedContext, SearchAnswer } from '@contextloom/contracts/agent-memory';
import { countTokens } from '@contextloom/llm';
import { GRADES, toSureness } from '@contextloom/retrieval/ranking';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { createAgentMemoryServer } from '../src/build-server.ts';
import { createFolder, type Folder, openTestMemory } from './support/memory.ts';

const OLD = 'memory/2025-03-02.md';
const long = 'Then we talked about the harbour and its boats for a long while. '.repeat(40);
const notes = [
  'The dentist moved the appointment to Friday.',
  `${long}The plumber repaired the boiler in the cellar. ${long}`,
  'The boiler of the neighbours is new.',
  'A boiler for the school was ordered.',
  'The boiler room is locked at night.',
];

let folder: Folder;
let opened: Awaited<ReturnType<typeof openTestMemory>>;
let client: TestClient;

async function call<T>(name: string, args: Record<string, unknown>): Promise<T> {
  const { structured, isError, text } = await client.callTool(name, args);
  if (isError) throw new Error(text);
  return structured as T;
}

/** How sure a search is, and what a context has for the same question. */
async function load(query: string) {
  const found = await call<SearchAnswer>('search_entries', { query, limit: 20 });
  const { lines = [], withheld } = await call<LoadedContext>('load_context', {
    query,
    sections: ['hits'],
    lines: true,
  });
  const texts = lines.map(({ text }) => text);
  return {
    best: toSureness(found.items.map(({ relevance }) => relevance)),
    found: found.items.length,
    texts,
    withheld,
  };
}

beforeEach(async () => {
  folder = createFolder();
  const entries = notes.map((text, at) => `### 10:0${at} - manual\n${text}\n`);
  folder.save(OLD, `# 2025-03-02\n\n${entries.join('\n')}`);
  opened = await openTestMemory(folder, {});
  client = await connectInMemory(createAgentMemoryServer({ ...opened, isShared: false, version: '0', log: silentLog }));
});
afterEach(async () => {
  await client.close();
  await opened.memory.close();
  folder.remove();
});

it.each(['Good morning!', 'How are you?', 'What is quantum chromodynamics?'])(
  'tells nothing for %s, and how much it withholds',
  async (query) => {
    const { best, found, texts, withheld } = await load(query);
    expect(best).toBeLessThan(GRADES.least);
    expect(texts).toEqual([]);
    expect(withheld?.count ?? 0).toBe(found);
  },
);

it('tells a passage or two of what is doubtful, 120 tokens at most', async () => {
  const { best, found, texts, withheld } = await load('Who ordered the boiler symphony in Vienna?');
  expect(best).toBeGreaterThanOrEqual(GRADES.least);
  expect(best).toBeLessThan(GRADES.sure);
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.length).toBeLessThanOrEqual(2);
  expect(countTokens(texts.map((text) => `- ${text}`).join('\n'))).toBeLessThanOrEqual(120);
  for (const text of texts) expect(text).toContain('boiler');
  expect(withheld).toEqual({ count: found - texts.length, best_relevance: expect.any(Number) });
});

it('tells what is sure, whole, and not what has nothing to do with it', async () => {
  const { best, texts } = await load('Who repaired the boiler in the cellar?');
  expect(best).toBeGreaterThanOrEqual(GRADES.sure);
  expect(texts[0]).toContain(notes[1]?.trim());
  expect(texts.join('\n')).not.toContain('dentist');
});
