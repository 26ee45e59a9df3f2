import { ContextloomError } from '@contextloom/contracts';
import type { z } from 'zod';

/** Where a MIRIX server is, and how it is called. */
export interface MirixHttpOptions {
  readonly url: string;
  readonly apiKey?: string | undefined;
  /** How long one call may take, in milliseconds. */
  readonly timeoutMs: number;
  readonly fetch: typeof globalThis.fetch;
}

/** One call. */
export interface MirixRequest {
  readonly method: 'GET' | 'POST';
  readonly path: `/${string}`;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly signal?: AbortSignal | undefined;
}

/** What came back: the body as JSON, undefined if it is not JSON. */
export interface MirixAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Calls a MIRIX server; rejects with `ContextloomError` that names the setting to look at, or with the caller's own reason. */
export interface MirixHttp {
  /** To people. */
  readonly service: string;
  readonly send: (request: MirixRequest) => Promise<MirixAnswer>;
  /** Reads a good answer of this shape; everything else is an error. */
  readonly read: <A extends z.ZodType>(answer: MirixAnswer, shape: A) => z.output<A>;
  /** Both. */
  readonly call: <A extends z.ZodType>(request: MirixRequest, shape: A) => Promise<z.output<A>>;
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether no connection came about, so that nothing was sent: fetch says in `cause` what happened at the socket. */
function isUnsent(error: unknown): boolean {
  const { cause } = Object(error) as { readonly cause?: unknown };
  const { code } = Object(cause) as { readonly code?: unknown };
  return /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|UND_ERR_CONNECT_TIMEOUT)$/u.test(String(code));
}

/** What to do about a status. The server's own words are not even logged: it repeats its input, memories and keys. */
function toAdvice(status: number): string {
  if (status === 401 || status === 403) return 'refuses the key; set MIRIX_API_KEY to one that it knows';
  if (status === 429) return 'is asked too much at once (HTTP 429); try again later';
  if (status >= 500) return `failed with HTTP ${status}; its own log says why`;
  return `answered HTTP ${status}, not as MIRIX does; check MIRIX_BACKEND_URL and MIRIX_API`;
}

/** Makes what calls a MIRIX server. A call is tried once: one that adds may have taken effect, and is not repeated. */
export function createMirixHttp({ url, apiKey, timeoutMs, fetch }: MirixHttpOptions): MirixHttp {
  const base = new URL(url);
  const prefix = `${base.origin}${base.pathname.replace(/\/+$/u, '')}`;
  const service = `the MIRIX server at ${base.origin} (MIRIX_BACKEND_URL)`;

  function toTransportError(cause: unknown, { method }: MirixRequest, late: AbortSignal): ContextloomError {
    const unknown = method === 'POST' ? '; whether it took effect is not known' : '';
    if (late.aborted) {
      const message = `${service} did not answer within ${timeoutMs / 1_000} s (MIRIX_TIMEOUT_MS)${unknown}`;
      return new ContextloomError('timeout', message, { cause });
    }
    const text = isUnsent(cause) ? 'cannot be reached; start it or correct the address' : `broke off${unknown}`;
    return new ContextloomError('unavailable', `${service} ${text}`, { cause });
  }

  async function send(request: MirixRequest): Promise<MirixAnswer> {
    const { method, path, query = {}, body, signal } = request;
    signal?.throwIfAborted();
    const late = AbortSignal.timeout(timeoutMs);
    const search = new URLSearchParams(query).toString();
    try {
      const response = await fetch(`${prefix}${path}${search === '' ? '' : `?${search}`}`, {
        method,
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(apiKey !== undefined && { 'x-api-key': apiKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // The key and what is remembered go to the server that was named, and to no other.
        redirect: 'manual',
        signal: signal === undefined ? late : AbortSignal.any([signal, late]),
      });
      return { status: response.status, body: toJson(await response.text()) };
    } catch (cause) {
      signal?.throwIfAborted();
      throw toTransportError(cause, request, late);
    }
  }

  function read<A extends z.ZodType>({ status, body }: MirixAnswer, shape: A): z.output<A> {
    if (status < 200 || status > 299) {
      throw new ContextloomError('unavailable', `${service} ${toAdvice(status)}`, { cause: { status } });
    }
    const parsed = shape.safeParse(body);
    if (parsed.success) return parsed.data;
    const message = `${service} answered in a form that is not MIRIX's; check MIRIX_BACKEND_URL and MIRIX_API`;
    throw new ContextloomError('unavailable', message, { cause: parsed.error });
  }

  return { service, send, read, call: async (request, shape) => read(await send(request), shape) };
}
