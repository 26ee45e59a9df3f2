import { setTimeout as sleep } from 'node:timers/promises';
import { type Authorize, accessScopes, PRINCIPAL_HEADER } from '@contextloom/access';
import {
  ContextloomError,
  errorCodes,
  failureBodySchema,
  fromReportedFailure,
  isContextloomError,
} from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import { z } from 'zod';

/** What a caller of the HTTP service needs to know. */
export interface HttpCallOptions {
  /** Base address of the service. */
  readonly url: string;
  /** The setting that gave it, for error messages; KB_URL by default. */
  readonly setting?: string;
  readonly log: Log;
  /** Makes the Authorization header; none is sent without it. */
  readonly authorize?: Authorize | undefined;
  readonly fetch: typeof globalThis.fetch;
  /** How long a call may take unless it says otherwise, in milliseconds. */
  readonly timeoutMs: number;
  /** Pauses before further tries of a call whose connection failed, in milliseconds. */
  readonly retryDelaysMs: readonly number[];
  /**
   * How often a call waits for as long as a service says that takes too many (429, `Retry-After`): a job that runs on its own can wait,
   * a person cannot. Not at all by default.
   */
  readonly rateLimitWaits?: number | undefined;
}

/** One call of the service. */
export interface HttpRequest<A extends z.ZodType> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path and query, with every part percent-encoded. */
  readonly path: string;
  readonly body?: object;
  readonly ifMatch?: string | undefined;
  /** The only user whose documents the call may touch. */
  readonly onlyUser?: string | undefined;
  readonly answer: A;
  /** Whether doing it twice is the same as doing it once: then it is tried again over a broken connection. */
  readonly repeatable: boolean;
  readonly timeoutMs?: number;
}

/** Calls the service and parses its answer; rejects with `ContextloomError`. */
export type HttpCall = <A extends z.ZodType>(request: HttpRequest<A>) => Promise<z.output<A>>;

/** An error of ours that lost its form on the way, as through a proxy: its code is believed, its words are not. */
const codeSchema = z.object({ error: z.object({ code: z.enum(errorCodes) }) });

const BROKEN_CONNECTION = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

/** The names and codes of an error and of what caused it: fetch says what happened at the socket in `cause`. */
function marksOf(error: unknown): readonly string[] {
  if (typeof error !== 'object' || error === null) return [];
  const { code, name, cause } = error as { code?: unknown; name?: unknown; cause?: unknown };
  return [String(code), String(name), ...marksOf(cause)];
}

/** Nothing was sent yet, so that any call can be tried again. */
const NO_CONNECTION = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT']);

const isUnsent = (error: unknown): boolean => marksOf(error).some((mark) => NO_CONNECTION.has(mark));

const isBroken = (error: unknown): boolean => marksOf(error).some((mark) => BROKEN_CONNECTION.has(mark));

/** The service as errors call it. */
interface Service {
  readonly name: string;
  readonly setting: string;
}

function toTransportError(cause: unknown, { name, setting }: Service, timeoutMs: number): ContextloomError {
  if (marksOf(cause).includes('TimeoutError')) {
    return new ContextloomError('timeout', `${name} did not answer within ${timeoutMs / 1_000} s`, { cause });
  }
  const text = isBroken(cause)
    ? 'closed the connection before it answered; whether the call took effect is not known'
    : `cannot be reached; start it or correct ${setting}`;
  return new ContextloomError('unavailable', `${name} ${text}`, { cause });
}

/** Parses JSON; anything else becomes `undefined`, which no schema of an answer accepts. */
function toJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Tells the service's own errors, whose words are ours, from those of whatever else answers at that address. */
function toAnswerError(status: number, body: unknown, { name, setting }: Service): ContextloomError {
  const own = failureBodySchema.safeParse(body);
  if (own.success) return fromReportedFailure(own.data.error);
  const coded = codeSchema.safeParse(body);
  if (coded.success) {
    const { code } = coded.data.error;
    return new ContextloomError(code, `${name} refused with HTTP ${status} (${code.replaceAll('_', ' ')})`);
  }
  const message = `${name} answered HTTP ${status}, not as a knowledge base; check ${setting}`;
  return new ContextloomError('unavailable', message, { cause: own.error });
}

/** The longest that a call waits for a limit, in milliseconds: the service counts calls a minute. */
const MAX_WAIT_MS = 60_000;

/** How long a service that takes too many calls says to wait, in milliseconds; undefined when it does not say. */
function readWait(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds * 1_000, MAX_WAIT_MS) : undefined;
}

/** A header holds bytes: what is not ASCII is written as JSON escapes. */
function toLimit(user: string): string {
  const limit = { name: 'caller', users: [user], projects: [], scopes: accessScopes };
  return JSON.stringify(limit).replace(
    /[^\x20-\x7e]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Makes the function through which every call to the service goes. */
export function createHttpCall({
  url,
  setting = 'KB_URL',
  log,
  authorize,
  fetch,
  timeoutMs: usualTimeoutMs,
  retryDelaysMs,
  rateLimitWaits = 0,
}: HttpCallOptions): HttpCall {
  const base = new URL(url);
  const prefix = base.pathname.replace(/\/+$/, '');
  const service: Service = { name: `the knowledge base at ${base.origin} (${setting})`, setting };

  async function send<A extends z.ZodType>(
    request: HttpRequest<A>,
    timeoutMs: number,
    waits = rateLimitWaits,
  ): Promise<z.output<A>> {
    const { method, path, body, ifMatch, onlyUser, answer } = request;
    const authorization = await authorize?.();
    const response = await fetch(`${base.origin}${prefix}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(ifMatch !== undefined && { 'if-match': ifMatch }),
        ...(authorization !== undefined && { authorization }),
        ...(onlyUser !== undefined && { [PRINCIPAL_HEADER]: toLimit(onlyUser) }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const json = toJson(await response.text());
    const waitMs = response.status === 429 ? readWait(response) : undefined;
    if (waitMs !== undefined && waits > 0) {
      log.info({ method, path, waitMs }, 'the knowledge base takes no more calls for now; waiting');
      await sleep(waitMs);
      return send(request, timeoutMs, waits - 1);
    }
    if (!response.ok) throw toAnswerError(response.status, json, service);
    const parsed = answer.safeParse(json);
    if (parsed.success) return parsed.data;
    const message = `${service.name} did not answer as a knowledge base; check ${setting}`;
    throw new ContextloomError('unavailable', message, { cause: parsed.error });
  }

  async function persist<A extends z.ZodType>(
    request: HttpRequest<A>,
    timeoutMs: number,
    [delay, ...later]: readonly number[],
  ): Promise<z.output<A>> {
    try {
      return await send(request, timeoutMs);
    } catch (error) {
      if (delay === undefined || !(isUnsent(error) || (request.repeatable && isBroken(error)))) throw error;
      log.info({ method: request.method, cause: error }, 'no connection to the knowledge base; trying again');
      await sleep(delay);
      return persist(request, timeoutMs, later);
    }
  }

  return async (request) => {
    const timeoutMs = request.timeoutMs ?? usualTimeoutMs;
    try {
      return await persist(request, timeoutMs, retryDelaysMs);
    } catch (error) {
      throw isContextloomError(error) ? error : toTransportError(error, service, timeoutMs);
    }
  };
}
