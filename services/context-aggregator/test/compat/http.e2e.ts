import { connectOverHttp } from '@contextloom/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { type Composition, writeComposition } from '../support/composition.ts';
import { barePersona, knowledgeBase, toExpectedPrompt } from '../support/scripts.ts';
import { type HttpAggregator, startHttpAggregator, waitUntilGone } from '../support/server-process.ts';

const CALL = {
  name: 'build_prompt_with_context',
  arguments: { persona_name: 'uozumi', user_id: 'ann', user_query: '茶', user_name: null },
};
const NAMES = [
  'build_prompt_with_context',
  'cancel_job',
  'explain_prompt',
  'extract_memories',
  'get_job',
  'get_service_status',
  'get_user_memories',
  'list_decisions',
  'list_facts',
  'list_jobs',
  'retry_job',
  'store_conversation_memory',
  'undo_decision',
];
const PROMPT = toExpectedPrompt(['喜欢绿茶']);

let composition: Composition;
let aggregator: HttpAggregator;

beforeAll(async () => {
  composition = await writeComposition({
    servers: { 'persona-uozumi': barePersona(), 'knowledge-base': knowledgeBase() },
    aggregator: { source_deadline_ms: 200_000 },
  });
  aggregator = await startHttpAggregator(composition.file);
});

afterAll(async () => {
  await aggregator.stop();
  await composition.remove();
});

describe('the aggregator over HTTP', () => {
  it('serves a client of the 1.x SDK', async () => {
    const client = new Client({ name: 'v1', version: '0' });
    await client.connect(new StreamableHTTPClientTransport(aggregator.url) as Transport);
    expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual(NAMES);
    expect(await client.callTool(CALL)).toMatchObject({ content: [{ type: 'text', text: PROMPT }] });
    await client.close();
  });

  it.each([['2025-11-25'], ['2026-07-28']])('serves a client of the 2.x SDK in revision %s', async (revision) => {
    const client = await connectOverHttp(aggregator.url, revision);
    expect((await client.listTools()).tools.map(({ name }) => name).sort()).toEqual(NAMES);
    expect((await client.callTool(CALL.name, CALL.arguments)).text).toBe(PROMPT);
    await client.close();
  });

  it('starts each server once for all its clients', async () => {
    expect(new Set((await composition.calls('persona-uozumi')).map(({ pid }) => pid)).size).toBe(1);
  });

  it('refuses a request from a foreign web page', async () => {
    const headers = { 'content-type': 'application/json', origin: 'https://evil.example' };
    expect((await fetch(aggregator.url, { method: 'POST', headers, body: '{}' })).status).toBe(403);
  });

  it('ends at SIGTERM and leaves none of its servers behind', async () => {
    const servers = ['persona-uozumi', 'knowledge-base'];
    const pids = (await Promise.all(servers.map(composition.calls))).flat().map(({ pid }) => pid);
    expect(await aggregator.stop()).toBe(0);
    await waitUntilGone(pids);
  });
});
