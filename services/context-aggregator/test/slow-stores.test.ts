import { setTimeout as sleep } from 'node:timers/promises';
import { defineOperation } from '@contextloom/server-kit';
import type { TestClient } from '@contextloom/testing';
import { afterEach, expect, it } from '@jest/globals';
import { z } from 'zod';
import { openChatOver } from './support/chat-over.ts';

/** Longer than a question may take here. */
const FIRST_DATABASE_MS = 400;
const SHORT_MS = 100;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A project memory that makes its database while it is first written to. */
async function openChat(storeMs: number): Promise<{ readonly client: TestClient; readonly stored: string[] }> {
  const stored: string[] = [];
  const ingest = defineOperation({
    name: 'mem.ingest_memory',
    title: 'Ingest',
    description: 'Stores.',
    effect: 'adds',
    scope: 'none',
    input: z.object({ project_key: z.string(), content_type: z.string(), content: z.string() }),
    output: z.object({ id: z.string(), status: z.literal('created') }),
    run: async ({ content }) => {
      await sleep(FIRST_DATABASE_MS);
      stored.push(content);
      return { id: 'mem_1', status: 'created' as const };
    },
  });
  const { client, close } = await openChatOver({ 'project-memory': [ingest] }, storeMs);
  closing.push(close);
  return { client, stored };
}

const note = { text: 'The harbour needs a crane.', project: 'harbour' };

it('waits for a store that is made at the first write', async () => {
  const { client, stored } = await openChat(60_000);
  expect((await client.callTool('remember', note)).structured).toMatchObject({ id: 'project:harbour/mem_1' });
  expect(stored).toEqual([note.text]);
});

it('says that a write that is waited for no longer may still be done', async () => {
  const { client, stored } = await openChat(SHORT_MS);
  const { isError, text } = await client.callTool('remember', note);
  expect({ isError, text }).toMatchObject({
    isError: true,
    text: expect.stringContaining('may still do what it was asked'),
  });
  while (stored.length === 0) await sleep(10);
  expect(stored).toEqual([note.text]);
});
