import { readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { connect } from 'node:net';
import { expect } from '@jest/globals';
import { serviceFile, start, untilListening } from './children.ts';
import type { HostileCall } from './hostile.ts';
import { type Answer, ask, makeFolder } from './service.ts';

/** More than any refusal has to say: what was sent is not sent back. */
const LONGEST_REFUSAL = 20_000;

/** A service in a process of its own, with documents in it that no later call may change. */
export interface HostileService {
  readonly url: string;
  readonly send: (call: HostileCall) => Promise<Answer>;
  /** Sends text over a socket of its own and hangs up; resolves with what came back until then. */
  readonly sendRaw: (text: string) => Promise<string>;
  /** Holds that the process works as before: a plain add, search and health, and the first documents as they were. */
  readonly expectUnharmed: () => Promise<void>;
  /** The most memory that the process has had, in MiB; 0 where the system does not tell. */
  readonly peakMemory: () => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** Holds an answer against what the documentation says of all answers. */
export function expectDocumented({ status, headers, json, text }: Answer): void {
  expect(status).toBeLessThan(500);
  // URLs swallow `..`: the document of that id is the address `/`.
  if (status === 302) {
    expect(headers.get('location')).toBe('/docs');
    return;
  }
  if (status < 300) {
    expect(json.success).toBe(true);
    return;
  }
  expect(json).toMatchObject({ success: false, error: { code: expect.any(String), message: expect.any(String) } });
  expect(json.detail).toBe(json.error.message);
  expect(text.length).toBeLessThan(LONGEST_REFUSAL);
}

async function send(url: string, { method, path, body, headers }: HostileCall): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: response.status === 302 ? undefined : JSON.parse(text),
  };
}

function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text, () => setTimeout(() => socket.destroy(), 50)));
    socket.on('data', (chunk) => {
      received += String(chunk);
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(received));
  });
}

const keeper = { user_id: 'keeper' };
const kept = [
  { doc_id: 'kept-1', content: 'kingfisher 翠鸟', tags: ['kept'], metadata: { ...keeper, n: 1 } },
  { doc_id: 'kept-2', content: 'kingfisher\'s "nest"', tags: ['kept'], metadata: { ...keeper, __nothing__: null } },
];
const nobodys = { doc_id: 'kept-by-nobody', content: 'kingfisher', tags: ['kept'], metadata: {} };

async function readKept(url: string): Promise<string> {
  const mine = await ask(url, 'POST', '/documents/list', { user_id: 'keeper', tags: ['kept'] });
  const others = await ask(url, 'GET', '/documents/kept-by-nobody');
  return JSON.stringify([mine.json.documents, others.json.document]);
}

/** Starts the service on a fresh store. Its memory is small, so that what would fill a large one ends the process. */
export async function startHostileService(memoryMb: number): Promise<HostileService> {
  const dataDir = await makeFolder();
  const running = start(serviceFile, [], {
    KB_PORT: '0',
    KB_DATA_DIR: dataDir,
    LOG_LEVEL: 'info',
    NODE_OPTIONS: `--max-old-space-size=${memoryMb}`,
  });
  const url = await untilListening(running);
  expect((await ask(url, 'POST', '/batch_add', [...kept, nobodys])).status).toBe(200);
  const before = await readKept(url);
  let count = 0;
  return {
    url,
    send: (call) => send(url, call),
    sendRaw: (text) => sendRaw(Number(new URL(url).port), text),
    expectUnharmed: async () => {
      count += 1;
      const plain = { doc_id: 'plain', content: `egret${count}x`, tags: ['plain'] };
      expect((await ask(url, 'POST', '/add', plain)).status).toBe(200);
      const found = await ask(url, 'POST', '/search', { query: `egret${count}x`, top_k: 1 });
      expect(found.json.results).toMatchObject([{ id: 'plain', content: plain.content }]);
      expect((await ask(url, 'GET', '/health')).status).toBe(200);
      expect(await readKept(url)).toBe(before);
    },
    peakMemory: async () => {
      const status = await readFile(`/proc/${running.child.pid}/status`, 'utf8').catch(() => '');
      return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024;
    },
    stop: async () => {
      await running.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function timeHealth(url: string): Promise<number> {
  const begin = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/health`, { agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve(performance.now() - begin));
    });
    outgoing.once('error', reject);
    outgoing.end();
  });
}

/** Does `work` and measures the longest that /health took meanwhile, in milliseconds. */
export async function measureHealth<T>(url: string, work: () => Promise<T>): Promise<{ result: T; longestMs: number }> {
  let longestMs = 0;
  const state = { isDone: false };
  const probe = async (): Promise<void> => {
    while (!state.isDone) {
      longestMs = Math.max(longestMs, await timeHealth(url));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const probing = probe();
  const result = await work().finally(() => {
    state.isDone = true;
  });
  await probing;
  return { result, longestMs };
}
