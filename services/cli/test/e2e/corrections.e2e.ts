import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredDocument } from '@contextloom/contracts';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type RunningStack, startStack } from './running-stack.ts';

let stack: RunningStack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.stop());

/** One thing that is said on a day of its own. */
const toDay = (day: number, said: string): string => `[2024-03-0${day}]\nAnn: ${said}\nMarlow: I see.\n`;
const SAID = ['I keep geese in Oslo.', 'My brother Tom mends clocks.', 'I sing in a choir.', 'I am afraid of spiders.'];
const LATER = 'I bought a kayak.';

async function remember(said: readonly string[]): Promise<string> {
  const file = join(stack.folder, 'talk.txt');
  await writeFile(file, said.map((one, at) => toDay(at + 1, one)).join('\n'));
  const { ok, body } = await stack.cli('remember', file, '--user', 'ann', '--transcript', 'talk');
  expect({ ok, body: ok ? '' : body }).toEqual({ ok: true, body: '' });
  return body;
}

async function list(): Promise<readonly StoredDocument[]> {
  const filter = { metadata_filter: { user_id: 'ann' }, limit: 200 };
  const { body } = await stack.http('POST', '/documents/list', filter);
  const { documents } = JSON.parse(body) as { readonly documents: readonly StoredDocument[] };
  return documents.filter(({ tags }) => !tags.includes('retraction'));
}

async function idsOf(words: string): Promise<readonly string[]> {
  const ids = (await list()).filter(({ content }) => content.includes(words)).map(({ id }) => id);
  expect(ids).not.toEqual([]);
  return ids;
}

it('a transcript that is remembered again, and in a longer version, changes nothing that was corrected or deleted', async () => {
  await remember(SAID);
  for (const id of await idsOf('geese')) {
    await stack.http('PATCH', `/documents/${id}?user_id=ann`, { content: 'Ann keeps geese in Bergen.' });
    const whole = await stack.tool('aggregator', 'get_memory', { user_id: 'ann', id: `note:${id}` });
    expect(whole.body).toMatch(/"original":"[^"]*geese in Oslo/u);
  }
  for (const id of await idsOf('clocks')) {
    const { ok } = await stack.http('DELETE', `/documents/${id}?user_id=ann`);
    expect(ok).toBe(true);
  }
  // As clients do that know an id alone: over MCP and over HTTP.
  const [choir = '', ...others] = await idsOf('choir');
  const document = { doc_id: choir, content: 'Ann sings in a band.', metadata: { user_id: 'ann' } };
  expect(await stack.tool('knowledge-base', 'add_document', document)).toMatchObject({ ok: true });
  for (const id of others) await stack.http('POST', '/add', { ...document, doc_id: id });
  for (const said of [SAID, [...SAID, LATER], [...SAID, LATER]]) {
    await remember(said);
    const text = (await list()).map(({ content }) => content).join('\n');
    expect(text).toContain('geese in Bergen');
    expect(text).toContain('sings in a band');
    expect(text).toContain('afraid of spiders');
    expect(text.includes('kayak')).toBe(said.includes(LATER));
    for (const gone of ['Oslo', 'clocks', 'choir']) expect(text).not.toContain(gone);
  }
});
