import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseHistory } from '@contextloom/transcripts';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { readParts } from '../../src/hooks/read-transcript.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom gemini 中文-'));
});
afterEach(() => rm(folder, { recursive: true }));

// The form of google-gemini/gemini-cli before it wrote lines (`parseLegacyRecordFallback` reads it), written with two spaces.
const message = (id: number, type: string, content: unknown) => ({
  id: `m${id}`,
  timestamp: `2026-03-01T08:00:${String(id).padStart(2, '0')}.000Z`,
  type,
  content,
});
const toDocument = (messages: readonly object[], more: object = {}): string =>
  JSON.stringify({ sessionId: 's1', projectHash: 'h', startTime: 'a', lastUpdated: 'b', messages, ...more }, null, 2);
const one = [
  message(1, 'user', '我们把队列放在 Postgres "里"。]}'),
  message(2, 'gemini', [{ text: 'Good: {[Postgres' }]),
];
const two = [
  message(3, 'info', 'Update available.'),
  message(4, 'user', 'No: SQLite.'),
  message(5, 'gemini', 'SQLite.'),
];

/** What is read of a document from a byte on, by the reader that imports sessions too, and where it ends. */
async function read(text: string, from = 0, name = 'session-1.json') {
  const transcript = join(folder, name);
  await writeFile(transcript, text);
  const { size } = await stat(transcript);
  return { size, said: await readJob(transcript, size, from) };
}
async function readJob(transcript: string, size: number, from = 0): Promise<readonly string[]> {
  const said: string[] = [];
  for await (const part of readParts(
    { client: 'gemini', session: 's1', transcript, size, project: { path: folder } },
    from,
  )) {
    for (const { sessions } of parseHistory(part))
      said.push(...sessions.flatMap(({ turns }) => turns.map(({ text }) => text)));
  }
  return said;
}
const first = ['我们把队列放在 Postgres "里"。]}', 'Good: {[Postgres'];

it('of Gemini CLI, a session in one piece is read, and only what is new of one that goes on', async () => {
  const { said, size } = await read(toDocument(one));
  expect(said).toEqual(first);
  const next = await read(toDocument([...one, ...two]), size);
  expect(next.said).toEqual(['No: SQLite.', 'SQLite.']);
  expect((await read(toDocument([...one, ...two]), next.size)).said).toEqual([]);
});

it('of Gemini CLI, what follows the messages of a document hides none of the next ones', async () => {
  const more = { summary: 'Where the queue of the shop is kept. '.repeat(40) };
  const { said, size } = await read(toDocument(one, more));
  expect(said).toEqual(first);
  expect((await read(toDocument([...one, ...two], more), size)).said).toEqual(['No: SQLite.', 'SQLite.']);
});

it('of Gemini CLI, what was said after a session was handed in waits for the next time', async () => {
  const { size } = await read(toDocument(one));
  const { size: later } = await read(toDocument([...one, ...two]));
  const transcript = join(folder, 'session-1.json');
  expect(await readJob(transcript, size)).toEqual(first);
  expect(await readJob(transcript, later, size)).toEqual(['No: SQLite.', 'SQLite.']);
});

it('of Gemini CLI, an answer next to a long output of a tool is read, without the output', async () => {
  const call = {
    ...message(6, 'gemini', 'The tests pass.'),
    toolCalls: [{ name: 'shell', result: 'x'.repeat(400_000) }],
  };
  const image = message(7, 'user', [{ inlineData: 'y'.repeat(400_000) }]);
  expect((await read(toDocument([...one, call, image]))).said).toEqual([...first, 'The tests pass.']);
});

it.each([
  ['a document that is cut off', toDocument([...one, ...two]).slice(0, -160), first],
  ['a document without messages', '{"sessionId":"s1","projectHash":"h","other":[{"type":"user","content":"x"}]}', []],
  ['an empty file', '', []],
  ['what is no JSON', 'messages [{', []],
])('of Gemini CLI, %s is read as far as it goes', async (_name, text, expected) => {
  expect((await read(text)).said.slice(0, 2)).toEqual(expected);
});

it('of Gemini CLI, lines are read as before', async () => {
  const lines = [{ sessionId: 's1', projectHash: 'h' }, ...one].map((line) => `${JSON.stringify(line)}\n`).join('');
  expect((await read(lines, 0, 'session-1.jsonl')).said).toEqual(first);
});
