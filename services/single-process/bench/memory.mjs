// What one process saves next to eight: the time to the first prompt from a cold start, and the memory of all processes, on Linux.
// Usage: node services/single-process/bench/memory.mjs [runs]
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const root = new URL('../../../', import.meta.url).pathname;
const runs = Number(process.argv[2] ?? 5);

const programs = {
  'separate processes': ['services/context-aggregator/dist/server.js', '--config', join(root, 'mcp_config.json')],
  'single process': ['services/single-process/dist/server.js'],
};

/** The memory of a process and all that it started, in megabytes: pages that they share count once for each. */
function measureTree(pid) {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
        return [{ pid: Number(name), parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) }];
      } catch (error) {
        if (error.code === 'ENOENT' || error.code === 'ESRCH') return []; // It has ended.
        throw error;
      }
    });
  const tree = [pid];
  for (const one of tree) tree.push(...parents.filter(({ parent }) => parent === one).map((child) => child.pid));
  const sizes = tree.map((one) =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${one}/status`, 'utf8'))?.[1] ?? 0),
  );
  return { processes: tree.length, megabytes: Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1_024) };
}

async function run(args) {
  const folder = mkdtempSync(join(tmpdir(), 'contextloom-bench-'));
  const env = { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, LOG_LEVEL: 'error' };
  const started = performance.now();
  const transport = new StdioClientTransport({ command: process.execPath, args, env, cwd: root });
  const client = new Client({ name: 'bench', version: '0' });
  try {
    await client.connect(transport);
    const shaken = performance.now() - started;
    const input = { persona_name: 'uozumi', user_id: 'ann', user_query: 'What can I cook tonight?' };
    const prompt = await client.callTool({ name: 'build_prompt_with_context', arguments: input });
    if (prompt.isError === true) throw new Error(prompt.content[0].text);
    const prompted = performance.now() - started;
    const afterPrompt = measureTree(transport.pid);
    await client.callTool({ name: 'get_service_status', arguments: {} });
    return { shaken, prompted, afterPrompt, all: measureTree(transport.pid) };
  } finally {
    await client.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];

for (const [name, args] of Object.entries(programs)) {
  const results = [];
  for (let at = 0; at < runs; at += 1) results.push(await run(args));
  const { afterPrompt, all } = results.at(-1);
  const prompts = results.map(({ prompted }) => prompted);
  process.stdout.write(
    `${name}: handshake ${Math.round(median(results.map(({ shaken }) => shaken)))} ms, first prompt ${Math.round(median(prompts))} ms ` +
      `(worst ${Math.round(Math.max(...prompts))}), then ${afterPrompt.megabytes} MB in ${afterPrompt.processes} processes; ` +
      `all servers open ${all.megabytes} MB in ${all.processes} (${runs} runs)\n`,
  );
}
