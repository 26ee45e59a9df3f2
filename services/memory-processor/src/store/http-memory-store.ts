import { ContextloomError, type ErrorCode, errorCodes, type JsonObject } from '@contextloom/contracts';
import type { Log } from '@contextloom/mcp-kit';
import { createKnowledgeBaseStore, ORDER_TIMEOUT_MS } from './knowledge-base-store.ts';
import type { MemoryStore } from './memory-store.ts';

/** What the HTTP adapter is built from. */
export interface HttpMemoryStoreOptions {
  /** Base address of the knowledge base's HTTP service, e.g. `http://127.0.0.1:8000`. */
  readonly url: string;
  readonly log: Log;
  readonly fetch?: typeof globalThis.fetch;
  /** Pauses before further attempts at a connection that failed, in milliseconds. */
  readonly retryDelaysMs?: readonly number[];
}

const PATHS = { add: '/batch_add', list: '/documents/list' } as const;

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

/** The code of a refusal, which is one of ours or nothing; its words stay in the log. */
function toRefusal(status: number, body: string, service: string): ContextloomError {
  const told = /"code"\s*:\s*"([a-z_]+)"/u.exec(body)?.[1];
  const code = errorCodes.find((known): known is ErrorCode => known === told) ?? 'unavailable';
  return new ContextloomError(code, `${service} refused with HTTP ${status} (${code.replaceAll('_', ' ')})`, {
    cause: new Error(body.slice(0, 2_000)),
  });
}

function toTransportError(cause: unknown, isLate: boolean, service: string): ContextloomError {
  if (!isLate) {
    return new ContextloomError('unavailable', `${service} cannot be reached; start it or correct KB_URL`, { cause });
  }
  return new ContextloomError('timeout', `${service} did not answer within ${ORDER_TIMEOUT_MS / 1_000} s`, { cause });
}

/** Keeps memories in a knowledge base over its HTTP service (`POST /batch_add`, `POST /documents/list`). */
export function createHttpMemoryStore(options: HttpMemoryStoreOptions): MemoryStore {
  const { url, log, fetch = globalThis.fetch, retryDelaysMs = [200, 600] } = options;
  const base = new URL(url);
  const service = `the knowledge base at ${base.origin}`;
  const root = base.href.replace(/\/+$/u, '');

  async function attempt(path: string, body: JsonObject): Promise<{ status: number; ok: boolean; text: string }> {
    const response = await fetch(`${root}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(ORDER_TIMEOUT_MS),
    });
    return { status: response.status, ok: response.ok, text: await response.text() };
  }

  /** Ids are made before sending, so an order that took effect unseen does no harm when it is sent again. */
  async function post(path: string, body: JsonObject, [delay, ...later] = retryDelaysMs): ReturnType<typeof attempt> {
    try {
      return await attempt(path, body);
    } catch (cause) {
      const isLate = cause instanceof Error && cause.name === 'TimeoutError';
      if (delay === undefined || isLate) throw toTransportError(cause, isLate, service);
      log.info({ path, cause }, 'no connection to the knowledge base; trying again');
      await sleep(delay);
      return post(path, body, later);
    }
  }

  async function send(order: keyof typeof PATHS, body: JsonObject): Promise<unknown> {
    const { status, ok, text } = await post(PATHS[order], body);
    if (!ok) throw toRefusal(status, text, service);
    try {
      return JSON.parse(text);
    } catch (cause) {
      throw new ContextloomError('unavailable', `${service} did not answer JSON; check KB_URL`, { cause });
    }
  }

  // Nothing to close: the connections belong to fetch.
  return createKnowledgeBaseStore(send, async () => undefined);
}
