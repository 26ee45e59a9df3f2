import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { findUnfitSchemas } from '@contextloom/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type Composition, type CompositionOptions, writeComposition } from '../support/composition.ts';
import { barePersona, knowledgeBase, PERSONA_TEXT, toExpectedPrompt } from '../support/scripts.ts';
import { isAlive, serverFile, waitForEnd, waitUntilGone } from '../support/server-process.ts';

const CALL = { name: 'build_prompt_with_context', arguments: { persona_name: 'uozumi', user_id: 'ann' } };

let composition: Composition | undefined;

async function write(servers: CompositionOptions['servers'], deadlineMs = 200_000): Promise<Composition> {
  composition = await writeComposition({ servers, aggregator: { source_deadline_ms: deadlineMs } });
  return composition;
}

function spawnServer(args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  return spawn(process.execPath, [serverFile, ...args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, LOG_LEVEL: 'silent', ...env },
  });
}

afterEach(async () => {
  await composition?.remove();
  composition = undefined;
});

describe('the aggregator over stdio', () => {
  it('serves a client of the 1.x SDK, a long text with line breaks of all kinds unchanged', async () => {
    const text = `${'你是鱼住，一位安静的茶师。\r\n'.repeat(2_800)}\u2028---\n`;
    const { file } = await write({ 'persona-uozumi': barePersona({ text }), 'knowledge-base': knowledgeBase() });
    const client = new Client({ name: 'v1', version: '0' });
    const args = [serverFile, '--config', file];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    const prompt = toExpectedPrompt(['喜欢绿茶'], text);
    expect(await client.callTool(CALL)).toMatchObject({
      content: [{ type: 'text', text: prompt }],
      structuredContent: { prompt, status: 'complete' },
    });
    await client.close();
  });

  it('tells a client of the 1.x SDK, which checks answers by their schemas, why a call failed', async () => {
    const { file } = await write({});
    const client = new Client({ name: 'v1', version: '0' });
    const args = [serverFile, '--config', file];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    await client.listTools();
    const answer = await client.callTool({ name: 'get_user_memories', arguments: { user_id: 'ann', top_k: 0 } });
    await client.close();
    const message = 'top_k must be at least 1';
    expect(answer).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: message }],
      _meta: { 'contextloom/failure': { code: 'invalid', message, field: 'top_k' } },
    });
  });

  it('offers its tools with titles, all hints and schemas that every client accepts', async () => {
    const { file } = await write({});
    const client = new Client({ name: 'v1', version: '0' });
    const args = [serverFile, '--config', file];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
    const { tools } = await client.listTools();
    await client.close();
    expect(tools).toHaveLength(13);
    for (const { name, title, annotations, inputSchema, outputSchema } of tools) {
      expect({ name, title: typeof title }).toEqual({ name, title: 'string' });
      const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'];
      expect(Object.keys(annotations ?? {})).toEqual(expect.arrayContaining(hints));
      expect(findUnfitSchemas(inputSchema)).toEqual([]);
      expect(findUnfitSchemas(outputSchema)).toEqual([]);
    }
  });

  it('writes nothing but messages to standard output, and ends with its servers when standard input ends', async () => {
    const persona = {
      fixture: 'persona-prompt',
      script: { persona: 'uozumi', prompt: 'uozumi', text: PERSONA_TEXT },
    } as const;
    const { file, calls } = await write({
      'persona-uozumi': persona,
      'knowledge-base': knowledgeBase({ mode: 'error' }),
    });
    const child = spawnServer([], { MCP_CONFIG: file });
    const lines: { id?: number; result?: unknown }[] = [];
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const answered = new Promise<void>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        lines.push(JSON.parse(line));
        if (lines.at(-1)?.id === 2) resolve();
      });
    });
    const clientInfo = { name: 'raw', version: '0' };
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: CALL });
    await answered;
    expect(lines.at(-1)?.result).toMatchObject({
      content: [{ text: PERSONA_TEXT }],
      structuredContent: { status: 'partial' },
    });
    child.stdin.end();
    expect(await waitForEnd(child)).toBe(0);
    const recorded = [...(await calls('persona-uozumi')), ...(await calls('knowledge-base'))];
    await waitUntilGone(recorded.map(({ pid }) => pid));
  });

  it.each([
    ['standard input ends', (child: ChildProcessWithoutNullStreams) => child.stdin.end()],
    ['it gets SIGTERM', (child: ChildProcessWithoutNullStreams) => child.kill('SIGTERM')],
  ])('leaves no server behind that never finished its handshake, when %s', async (_name, end) => {
    // The call under way is answered before the end, and no answer of this server will come.
    const { file, calls } = await write({ 'knowledge-base': knowledgeBase({ mode: 'stubborn' }) }, 1_000);
    const child = spawnServer(['--config', file]);
    const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    const clientInfo = { name: 'raw', version: '0' };
    send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
    send({ method: 'notifications/initialized' });
    send({ id: 2, method: 'tools/call', params: { name: 'get_service_status', arguments: {} } });
    while ((await calls('knowledge-base')).length === 0) await delay(20);
    const pids = (await calls('knowledge-base')).map(({ pid }) => pid);
    end(child);
    expect(await waitForEnd(child)).toBe(0);
    expect(pids.filter(isAlive)).toEqual([]);
  });

  it.each([
    ['that does not exist', 'no-such-file.json', 1, /no-such-file\.json cannot be read; name another with --config/],
    ['that is not valid', undefined, 2, /aggregator\.source_deadline_ms must be at least 1/],
  ])('ends with one clear line for a configuration %s', async (_name, file, code, message) => {
    composition = await writeComposition({ servers: {}, aggregator: { source_deadline_ms: 0 } });
    const child = spawnServer(['--config', file ?? composition.file]);
    let told = '';
    child.stderr.on('data', (chunk) => {
      told += String(chunk);
    });
    expect(await waitForEnd(child)).toBe(code);
    expect(told).toMatch(message);
    expect(told.trim().split('\n')).toHaveLength(1);
  });
});
