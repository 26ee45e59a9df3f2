import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { ContextloomError } from '@contextloom/contracts';
import OpenAI from 'openai';
import { isRefused } from './capabilities.ts';
import { type EndpointNames, judgeFailure, toContextloomError } from './errors.ts';
import { fetchOnce } from './fetch-once.ts';
import { createRateLimiter } from './rate-limiter.ts';

/** An OpenAI-compatible endpoint, and how it is called. */
export interface EndpointOptions {
  /** Such as `https://api.openai.com/v1`, which it is when absent. */
  readonly baseUrl?: string | undefined;
  /** Absent for endpoints that want none. */
  readonly apiKey?: string | undefined;
  readonly model: string;
  /** How long one try may take, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Calls at once. */
  readonly concurrency?: number | undefined;
  /** Tries of one call that fails. */
  readonly attempts?: number | undefined;
  /** How long the endpoint may put one call off (HTTP 429), in milliseconds. */
  readonly patienceMs?: number | undefined;
  /** Waits before a call is tried again; a timer unless given. */
  readonly sleep?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /** Names of the settings that errors point at. */
  readonly settings: { readonly baseUrl: string; readonly apiKey: string; readonly model: string };
}

/** One try of a call. */
type Work<T> = (client: OpenAI, options: { readonly signal?: AbortSignal }) => Promise<T>;

/** A rate-limited way to call an endpoint: rejects with `ContextloomError`, once trying again does not help. */
export interface Endpoint {
  /** Where it is, without user and query. */
  readonly address: string;
  /** `work` is given a signal that follows the caller's. */
  readonly call: <T>(work: Work<T>, signal: AbortSignal | undefined) => Promise<T>;
}

/** How long one try may take by default, in milliseconds. */
export const DEFAULT_TIMEOUT_MS = 120_000;
/** Where the API of OpenAI itself is. */
const OPENAI_URL = 'https://api.openai.com/v1';

function toAddress(baseUrl: string, setting: string): string {
  if (!URL.canParse(baseUrl) || !/^https?:/i.test(baseUrl)) {
    throw new ContextloomError('invalid', `${setting} must be an http or https address, such as ${OPENAI_URL}`, {
      field: setting,
    });
  }
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname}`.replace(/\/+$/, '');
}

const pause = async (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  wait(ms, undefined, signal === undefined ? {} : { signal });

/**
 * Follows a caller's signal as long as the work takes: the library never takes its listeners off, and a long run has one
 * signal for all of its calls.
 */
async function withOwnSignal<T>(
  signal: AbortSignal | undefined,
  work: (options: { readonly signal?: AbortSignal }) => Promise<T>,
): Promise<T> {
  if (signal === undefined) return work({});
  const own = new AbortController();
  const follow = (): void => own.abort(signal.reason);
  if (signal.aborted) follow();
  signal.addEventListener('abort', follow, { once: true });
  try {
    return await work({ signal: own.signal });
  } finally {
    signal.removeEventListener('abort', follow);
  }
}

/** Makes one try; a connection that breaks after the deadline counts as a timeout, whatever the error. */
async function tryOnce<T>(work: () => Promise<T>, timeoutMs: number): Promise<T> {
  const start = performance.now();
  try {
    return await work();
  } catch (error) {
    const isLate = error instanceof OpenAI.APIConnectionError && performance.now() - start >= timeoutMs;
    throw isLate ? new OpenAI.APIConnectionTimeoutError() : error;
  }
}

/** Opens an endpoint; nothing is sent before the first call. */
export function openEndpoint(options: EndpointOptions): Endpoint {
  const {
    baseUrl = OPENAI_URL,
    apiKey,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    concurrency = 8,
    attempts = 4,
    patienceMs = 180_000,
    sleep = pause,
  } = options;
  const address = toAddress(baseUrl, options.settings.baseUrl);
  const names: EndpointNames = { address, ...options.settings };
  const client = new OpenAI({
    baseURL: baseUrl,
    // The library insists on one; endpoints that want none take any.
    apiKey: apiKey ?? 'none',
    // Else it reads these from the environment.
    organization: null,
    project: null,
    timeout: timeoutMs,
    maxRetries: 0,
    logLevel: 'off',
    fetch: fetchOnce,
  });
  const limiter = createRateLimiter({
    concurrency,
    attempts,
    patienceMs,
    sleep,
    random: Math.random,
    now: () => performance.now(),
  });
  return {
    address,
    call: async (work, signal) => {
      // More than ten calls at once are no leak.
      if (signal !== undefined) setMaxListeners(0, signal);
      try {
        return await limiter(
          () => withOwnSignal(signal, (options) => tryOnce(() => work(client, options), timeoutMs)),
          (error) => judgeFailure(error, Date.now()),
          signal,
        );
      } catch (error) {
        // A refused request is for its sender to learn from.
        if (isRefused(error)) throw error;
        throw toContextloomError(error, names);
      }
    },
  };
}

/** Words a refusal that its sender learnt nothing from. */
export function toRefusal(error: unknown, address: string, settings: EndpointOptions['settings']): ContextloomError {
  return toContextloomError(error, { address, ...settings });
}
