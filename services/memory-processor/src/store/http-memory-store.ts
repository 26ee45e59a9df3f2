import {
  ContextloomError,
  type ErrorCode,
  errorCodes,
  failureBodySchema,
  fromToldFailure,
  type JsonObject,
} from '@contextloom/contracts';
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

/** How each order is sent. */
function toRequest(
  order: 'add' | 'list' | 'delete',
  body: JsonObject,
): { readonly path: string; readonly init: RequestInit } {
  if (order === 'delete') {
    const { doc_id: id, user_id: user } = body;
    const path = `/documents/${encodeURIComponent(String(id))}?user_id=${encodeURIComponent(String(user))}`;
    return { path, init: { method: 'DELETE' } };
  }
  const headers = { 'content-type': 'application/json' };
  const path = order === 'add' ? '/batch_add' : '/documents/list';
  return { path, init: { method: 'POST', headers, body: JSON.stringify(body) } };
}

const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON: no schema accepts undefined.
  }
}

/** A knowledge base of ours says why it refuses, and that is passed on; of any other's answer only the code is, if it is one of ours. */
function toRefusal(status: number, body: string, service: string): ContextloomError {
  const own = failureBodySchema.safeParse(parseJson(body));
  if (own.success) return fromToldFailure(own.data.error);
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

/** Keeps memories in a knowledge base over its HTTP service (`POST /batch_add`, `POST /documents/list`, `DELETE /documents/:id`). */
export function createHttpMemoryStore(options: HttpMemoryStoreOptions): MemoryStore {
  const { url, log, fetch = globalThis.fetch, retryDelaysMs = [200, 600] } = options;
  const base = new URL(url);
  const service = `the knowledge base at ${base.origin}`;
  const root = base.href.replace(/\/+$/u, '');

  async function attempt(path: string, init: RequestInit): Promise<{ status: number; ok: boolean; text: string }> {
    const response = await fetch(`${root}${path}`, {
      ...init,
      redirect: 'manual',
      signal: AbortSignal.timeout(ORDER_TIMEOUT_MS),
    });
    return { status: response.status, ok: response.ok, text: await response.text() };
  }

  /** Ids are made before sending, so an order that took effect unseen does no harm when it is sent again. */
  async function persist(
    path: string,
    init: RequestInit,
    [delay, ...later] = retryDelaysMs,
  ): ReturnType<typeof attempt> {
    try {
      return await attempt(path, init);
    } catch (cause) {
      const isLate = cause instanceof Error && cause.name === 'TimeoutError';
      if (delay === undefined || isLate) throw toTransportError(cause, isLate, service);
      log.info({ path, cause }, 'no connection to the knowledge base; trying again');
      await sleep(delay);
      return persist(path, init, later);
    }
  }

  async function send(order: 'add' | 'list' | 'delete', body: JsonObject): Promise<unknown> {
    const { path, init } = toRequest(order, body);
    const { status, ok, text } = await persist(path, init);
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
