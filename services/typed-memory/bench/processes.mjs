// The real processes that the bench measures: one knowledge base, and a server of typed memory for each user, over HTTP.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const entry = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

async function start(args, env) {
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const lines = createInterface({ input: child.stderr });
  const url = await new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const { msg, url: address } = JSON.parse(line);
      if (msg === 'listening') resolve(new URL(address).origin);
    });
    lines.once('close', () => reject(new Error(`${args[0]} ended before it listened; is it built?`)));
  });
  const stop = async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
  };
  return { url, pid: child.pid, stop };
}

export const startKnowledgeBase = (folder) =>
  start([entry('knowledge-base/dist/service.js')], { KB_PORT: '0', KB_DATA_DIR: folder });

export const startTypedMemory = (userId, env) =>
  start([entry('typed-memory/dist/server.js'), '--http', '0'], { DEFAULT_USER_ID: userId, ...env });

/** Calls a tool over plain HTTP. */
export async function callTool(url, name, args) {
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(args) };
  const response = await fetch(`${url}/tools/${name}`, init);
  if (!response.ok) throw new Error(`${name} was answered with ${response.status}: ${await response.text()}`);
  return response.json();
}
