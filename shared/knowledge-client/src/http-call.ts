import { ContextloomError, errorCodes, isContextloomError } from '@contextloom/contracts';
import type { Log } from '@contextloom/mcp-kit';
import { z } from 'zod';

/** What a caller of the HTTP service needs to know. */
export interface HttpCallOptions {
  /** Base address of the service. */
  readonly url: string;
  readonly log: Log;
  readonly fetch: typeof globalThis.fetch;
  /** How long a call may take unless it says otherwise, in milliseconds. */
  readonly timeoutMs: number;
}

/** One call of the service. */
export interface HttpRequest<A extends z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path and query, with every part percent-encoded. */
  readonly path: string;
  readonly body?: object;
  readonly ifMatch?: string | undefined;
  readonly answer: A;
  /** Whether doing it twice is the same as doing it once: then a broken connection is tried again, once. */
  readonly repeatable: boolean;
  readonly timeoutMs?: number;
}

/** Calls the service and parses its answer; rejects with `ContextloomError`. */
export type HttpCall = <A extends z.ZodType>(request: HttpRequest<A>) => Promise<z.output<A>>;

const errorBodySchema = z.object({
  error: z.object({ code: z.enum(errorCodes), message: z.string().max(2_000), field: z.string().optional() }),
});

const BROKEN_CONNECTION = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** The names and codes of an error and of what caused it: fetch says what happened at the socket in `cause`. */
function marksOf(error: unknown): readonly string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { code, name, cause } = error as { code?: unknown; name?: unknown; cause?: unknown };
  return [String(code), String(name), ...marksOf(cause)];
}

const isBroken = (error: unknown): boolean => marksOf(error).some((mark) => BROKEN_CONNECTION.has(mark));

function toTransportError(cause: unknown, service: string, timeoutMs: number): ContextloomError {
  if (marksOf(cause).includes('TimeoutError')) {
    return new ContextloomError('timeout', `${service} did not answer within ${timeoutMs / 1_000} s`, { cause });
  }
  const text = isBroken(cause)
    ? 'closed the connection before it answered; whether the call took effect is not known'
    : 'cannot be reached; start it or correct KB_URL';
  return new ContextloomError('unavailable', `${service} ${text}`, { cause });
}

/** Parses JSON; what is none becomes `undefined`, which no schema of an answer accepts. */
function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Tells the service's own errors, whose words are ours, from those of whatever else answers at that address. */
function toAnswerError(status: number, body: unknown, service: string): ContextloomError {
  const known = errorBodySchema.safeParse(body);
  if (!known.success) {
    const message = `${service} answered HTTP ${status}, not as a knowledge base; check KB_URL`;
    return new ContextloomError('unavailable', message, { cause: known.error });
  }
  const { code, message, field } = known.data.error;
  return new ContextloomError(code, message, field === undefined ? {} : { field });
}

/** Makes the function through which every call to the service goes. */
export function createHttpCall({ url, log, fetch, timeoutMs: usualTimeoutMs }: HttpCallOptions): HttpCall {
  const base = new URL(url);
  const prefix = base.pathname.replace(/\/+$/, '');
  const service = `the knowledge base at ${base.origin} (KB_URL)`;

  async function send<A extends z.ZodType>(request: HttpRequest<A>, timeoutMs: number): Promise<z.output<A>> {
    const { method, path, body, ifMatch, answer } = request;
    const response = await fetch(`${base.origin}${prefix}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const json = toJson(await response.text());
    if (!response.ok) throw toAnswerError(response.status, json, service);
    const parsed = answer.safeParse(json);
    if (parsed.success) return parsed.data;
    const message = `${service} did not answer as a knowledge base; check KB_URL`;
    throw new ContextloomError('unavailable', message, { cause: parsed.error });
  }

  return async (request) => {
    const timeoutMs = request.timeoutMs ?? usualTimeoutMs;
    try {
      return await send(request, timeoutMs).catch((error: unknown) => {
        if (!request.repeatable || !isBroken(error)) throw error;
        log.info({ method: request.method, cause: error }, 'connection broken; trying once more');
        return send(request, timeoutMs);
      });
    } catch (error) {
      throw isContextloomError(error) ? error : toTransportError(error, service, timeoutMs);
    }
  };
}
