// The server as a process of its own, spoken to over HTTP.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../dist/server.js', import.meta.url));

/** Starts it on a free port and waits until it answers; `startMs` is how long that took. */
export async function startServer(env) {
  const from = performance.now();
  const child = spawn(process.execPath, [script, '--http', '0'], {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  const url = await new Promise((resolve, reject) => {
    child.stderr.on('data', (data) => {
      log = `${log}${data}`.slice(-10_000);
      const address = /"url":"(http:[^"]+)\/mcp"/.exec(log)?.[1];
      if (address !== undefined) resolve(address);
    });
    child.once('exit', () => reject(new Error(log)));
  });
  const startMs = performance.now() - from;
  const request = async (path, body) => {
    const sent = body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    const response = await fetch(`${url}${path}`, sent).catch((error) => {
      // The server ends connections that were idle for some seconds, at times just as one is used again.
      if (error.cause?.code === 'ECONNRESET') return fetch(`${url}${path}`, sent);
      throw error;
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  return {
    startMs,
    request,
    memory: () => readMemory(child.pid),
    close: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Megabytes of a process: now, and at its highest; where there is no /proc, nothing. */
async function readMemory(pid) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const read = (key) => Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1_024;
  return { now: read('VmRSS'), peak: read('VmHWM') };
}
