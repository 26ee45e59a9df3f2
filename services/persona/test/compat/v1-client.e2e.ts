import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { createPersonaFolder, type PersonaFolder, toPersonaFiles } from '../support/persona-folder.ts';

const server = fileURLToPath(new URL('../../dist/server.js', import.meta.url));

let client: Client | undefined;
let child: ChildProcess | undefined;
let made: PersonaFolder | undefined;
afterEach(async () => {
  await client?.close();
  if (child !== undefined && child.exitCode === null) {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  await made?.remove();
  client = child = made = undefined;
});

async function connectStdio(args: readonly string[], env: Record<string, string> = {}): Promise<Client> {
  client = new Client({ name: 'v1', version: '0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [server, ...args],
    env,
    stderr: 'ignore',
  });
  await client.connect(transport);
  return client;
}

async function run(args: readonly string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  child = spawn(process.execPath, [server, ...args], { stdio: ['pipe', 'pipe', 'pipe'] });
  const texts = { stdout: '', stderr: '' };
  child.stdout?.on('data', (data) => {
    texts.stdout += data;
  });
  child.stderr?.on('data', (data) => {
    texts.stderr += data;
  });
  const [code] = await once(child, 'close');
  return { code, ...texts };
}

async function textOf(opened: Client, tool: string, args: Record<string, unknown> = {}): Promise<string> {
  const { content } = await opened.callTool({ name: tool, arguments: args });
  return (content as { text: string }[]).map(({ text }) => text).join('');
}

describe('a client of the first SDK', () => {
  it('uses every tool of a persona over stdio', async () => {
    const opened = await connectStdio(['--persona', 'uozumi']);
    expect(opened.getServerVersion()).toMatchObject({ name: 'persona-uozumi' });
    const { tools } = await opened.listTools();
    expect(tools).toHaveLength(6);
    const args = { user: '小满', char: null, user_name: null, char_name: null };
    const prompt = await textOf(opened, 'get_uozumi_system_prompt', args);
    expect(prompt).toMatch(/^# Uozumi 系统提示\n\n/);
    expect(prompt).toContain('小满');
    expect(await textOf(opened, 'get_uozumi_persona')).toMatch(/^# Uozumi 角色人设\n\n/);
    expect(await textOf(opened, 'get_safety_guidelines')).toMatch(/^# 安全使用指南\n\n/);
    const { entries } = JSON.parse(await textOf(opened, 'list_worldbook_entries'));
    expect(JSON.parse(await textOf(opened, 'get_worldbook_entry', { id: entries[0].id })).id).toBe(entries[0].id);
    expect(JSON.parse(await textOf(opened, 'search_worldbook', { query: '灯塔' })).results[0]).toMatchObject({
      score: 6,
    });
    const { messages } = await opened.getPrompt({ name: 'uozumi', arguments: { user: '小满' } });
    expect(messages[0]?.content).toEqual({ type: 'text', text: prompt });
  });

  it.each([
    ['the flag --personas', (folder: string) => connectStdio(['--persona', 'testa', '--personas', folder])],
    ['PERSONAS_DIR', (folder: string) => connectStdio(['--persona', 'testa'], { PERSONAS_DIR: folder })],
  ])('is served from any folder that %s names', async (_what, connect) => {
    made = await createPersonaFolder(toPersonaFiles('testa'));
    const opened = await connect(made.folder);
    expect(await textOf(opened, 'get_testa_system_prompt')).toMatch(/^# Testa 系统提示\n\n善待 用户。/);
  });

  it('is served over HTTP, until the process is told to end', async () => {
    child = spawn(process.execPath, [server, '--persona', 'marlow', '--http', '0'], {
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    const stderr = child.stderr;
    if (stderr === null) throw new Error('no stderr');
    let url = '';
    for await (const line of createInterface({ input: stderr })) {
      url = /"url":"([^"]+)"/.exec(line)?.[1] ?? '';
      if (url !== '') break;
    }
    client = new Client({ name: 'v1', version: '0' });
    // The SDK's own class and interface disagree under exactOptionalPropertyTypes.
    await client.connect(new StreamableHTTPClientTransport(new URL(url)) as Parameters<Client['connect']>[0]);
    expect(await textOf(client, 'get_marlow_system_prompt')).toMatch(/^# Marlow System Prompt\n\n/);
    await client.close();
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).toBe(0);
  });
});

describe('the command line', () => {
  it('answers an unknown persona with one line that lists those there are, and code 1', async () => {
    const { code, stdout, stderr } = await run(['--persona', 'nobody']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^persona: no persona "nobody"; there are: marlow, uozumi\n$/);
  });

  it.each([
    [[], /^persona: --persona is required: one of marlow, uozumi\n$/],
    [['--persona', '../uozumi'], /^persona: persona must be 1 to 64 letters, digits, "_" or "-", .*\n$/],
    [['--persona', 'uozumi', '--nonsense'], /--nonsense/],
  ])('answers the arguments %j with one line and code 2', async (args, line) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(line);
  });

  it('ends when its standard input ends', async () => {
    const running = run(['--persona', 'uozumi']);
    child?.stdin?.end();
    expect(await running).toMatchObject({ code: 0, stdout: '' });
  });
});
