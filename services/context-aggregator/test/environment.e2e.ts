import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { serverFile } from './support/server-process.ts';

const fixture = fileURLToPath(new URL('./fixtures/environment.mjs', import.meta.url));
const personaFile = fileURLToPath(new URL('../../persona/dist/server.js', import.meta.url));

let folder: string;
let client: Client;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-environment-'));
  const stranger = {
    command: process.execPath,
    args: [fixture, join(folder, 'seen.json')],
    env: { GIVEN: 'as ${OF_THE_FILE}' },
  };
  const persona = { command: process.execPath, args: [personaFile, '--persona', 'testa'] };
  const file = join(folder, 'mcp_config.json');
  const aggregator = { source_deadline_ms: 200_000 };
  await writeFile(file, JSON.stringify({ mcpServers: { stranger, 'persona-testa': persona }, aggregator }));
  await writeFile(join(folder, '.env'), `OF_THE_FILE=it is\nPERSONAS_DIR=${folder}\nDB_ENCRYPTION_KEY=sealed\n`);
  await mkdir(join(folder, 'testa'));
  await writeFile(join(folder, 'testa', 'persona.json'), '{"display_name": "Testa", "language": "en"}');
  await writeFile(join(folder, 'testa', 'persona.md'), 'Testa mends boats.\n');
  client = new Client({ name: 'test', version: '0' });
  const env = { ...getDefaultEnvironment(), MEMORY_VAULT_KEY: 'sesame', OPENAI_API_KEY: 'sk-1', LOG_LEVEL: 'silent' };
  const args = [serverFile, '--config', file];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
  await client.callTool({ name: 'get_service_status', arguments: {} }, undefined, { timeout: 200_000 });
});
afterAll(async () => {
  await client.close();
  await rm(folder, { recursive: true });
});

describe('the environment of the servers behind the aggregator', () => {
  it('is of a stranger what its entry names and what every program needs', async () => {
    const seen = JSON.parse(await readFile(join(folder, 'seen.json'), 'utf8'));
    expect(seen).toEqual({ ...getDefaultEnvironment(), GIVEN: 'as it is' });
  });

  it('is of a server of this installation what it declares, also from the .env file next to the composition', async () => {
    const answer = await client.callTool({
      name: 'build_prompt_with_context',
      arguments: { persona_name: 'testa', user_id: 'ann', user_query: '' },
    });
    expect(JSON.stringify(answer.content)).toContain('Testa mends boats.');
  });
});
