// How long a prompt takes through the aggregator, all servers in one process over the databases of a side.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { connectOverHttp } from '@contextloom/testing';
import { measure } from '../../../shared/tooling/bench-figures.mjs';

const services = fileURLToPath(new URL('../../', import.meta.url));
const shipped = new URL('../../../mcp_config.json', import.meta.url);
const SERVERS = { persona: ['--persona', 'marlow'], 'knowledge-base': [], 'personal-memory': ['--multi-user'] };

async function writeComposition(folder) {
  const { contextSources, aggregator } = JSON.parse(await readFile(shipped, 'utf8'));
  const toEntry = ([name, args]) => [
    name === 'persona' ? 'persona-marlow' : name,
    { command: 'node', args: [join(services, name, 'dist/server.js'), ...args] },
  ];
  const mcpServers = Object.fromEntries(Object.entries(SERVERS).map(toEntry));
  const file = join(folder, 'mcp_config.json');
  await writeFile(file, JSON.stringify({ mcpServers, contextSources, aggregator }));
  return file;
}

/** The address of a server that says it on standard error. */
function readAddress(child) {
  return new Promise((resolve, reject) => {
    let said = '';
    child.once('exit', (code) => reject(new Error(`the aggregator ended with ${code}: ${said}`)));
    createInterface({ input: child.stderr }).on('line', (line) => {
      said += `${line}\n`;
      const url = line.startsWith('{') ? JSON.parse(line).url : undefined;
      if (url?.endsWith('/mcp')) resolve(url);
    });
  });
}

/** Builds prompts for users with a question each; answers their times in ms, and the memory of the process in MiB. */
export async function measurePrompts({ dataDir, databaseUrl, chromaUrl }, count, toQuestion) {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-bench-prompt-'));
  const places = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, KB_DATA_DIR: dataDir };
  const engine =
    databaseUrl === undefined
      ? { ...(chromaUrl && { CHROMA_URL: chromaUrl, CHROMA_COLLECTION: 'bench' }) }
      : { DATABASE_URL: databaseUrl };
  const env = { PATH: process.env.PATH, ...places, ...engine, LOG_LEVEL: 'info' };
  const args = [
    join(services, 'single-process/dist/server.js'),
    '--config',
    await writeComposition(folder),
    '--http',
    '0',
  ];
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    const client = await connectOverHttp(new URL(`${await readAddress(child)}/all`));
    const build = async (at) => {
      const { user, query } = toQuestion(at);
      const answer = await client.callTool('build_prompt_with_context', {
        persona_name: 'marlow',
        user_id: user,
        user_query: query,
      });
      if (answer.structured?.status !== 'complete')
        throw new Error(JSON.stringify({ ...answer.structured, prompt: '' }).slice(0, 2_000));
    };
    // The first ones wait for servers that are being opened.
    for (let at = 0; at < 10; at += 1) await build(at).catch(() => undefined);
    const { p50, p95 } = await measure(count, (at) => build(10 + at));
    await client.close();
    return { p50, p95 };
  } finally {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
