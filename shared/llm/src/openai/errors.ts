import { ContextloomError } from '@contextloom/contracts';
import OpenAI from 'openai';
import type { Verdict } from './rate-limiter.ts';

/** An endpoint as errors tell of it: its address, and the settings that have to do with it. */
export interface EndpointNames {
  /** Without user and query, which may hold a key. */
  readonly address: string;
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly model: string;
}

function readRetryAfter(headers: Headers | undefined, nowMs: number): number | undefined {
  const text = headers?.get('retry-after-ms') ?? headers?.get('retry-after');
  if (text === null || text === undefined || text.trim() === '') return undefined;
  const isMilliseconds = headers?.get('retry-after-ms') !== null;
  const count = Number(text);
  if (Number.isFinite(count)) return Math.max(0, isMilliseconds ? count : count * 1_000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/** Whether the body was no JSON. By name: the platform's parser may throw the error class of another realm. */
const isNoJson = (error: unknown): boolean => Object(error).name === 'SyntaxError';

const PASSING = new Set([408, 409, 425, 500, 502, 503, 504, 529]);

/** Whether a failed call may succeed when it is made again, and when; `nowMs` is the time of day, for dates. */
export function judgeFailure(error: unknown, nowMs: number): Verdict {
  if (error instanceof OpenAI.APIUserAbortError) return { kind: 'fail' };
  if (error instanceof OpenAI.APIConnectionError) return { kind: 'retry', afterMs: undefined };
  // A success that is no JSON: a proxy spoke, or the answer was cut off.
  if (isNoJson(error)) return { kind: 'retry', afterMs: undefined };
  if (!(error instanceof OpenAI.APIError) || error.status === undefined) return { kind: 'fail' };
  // 429 is also what an account without credit gets, where no waiting helps.
  if (error.status === 429 && error.code !== 'insufficient_quota') {
    return { kind: 'busy', afterMs: readRetryAfter(error.headers, nowMs) };
  }
  if (!PASSING.has(error.status)) return { kind: 'fail' };
  return { kind: 'retry', afterMs: readRetryAfter(error.headers, nowMs) };
}

/**
 * How filters in front of models call what they refuse: Azure (`content_filter`), OpenAI (`content_policy_violation`), Qwen
 * (`data_inspection_failed`), DeepSeek (`Content Exists Risk`), OpenRouter (`flagged`, HTTP 403), Zhipu (`1301`).
 */
const FILTER_WORDS =
  /content[_ ]?(?:filter|policy|management|moderation|exists risk)|data_inspection_failed|inappropriate content|responsible ?ai|moderation|flagged|敏感内容|不安全/iu;

/** Whether a request was refused for what its messages say: another one may well be answered. */
export function isFiltered(error: unknown): boolean {
  if (!(error instanceof OpenAI.APIError) || ![400, 403, 422, 451].includes(error.status ?? 0)) return false;
  return error.code === '1301' || FILTER_WORDS.test(`${error.code ?? ''} ${error.type ?? ''} ${error.message}`);
}

/** A failed call in words of ours; those of the endpoint stay in the cause. */
export function toContextloomError(
  cause: unknown,
  { address, baseUrl, apiKey, model }: EndpointNames,
): ContextloomError {
  const say = (code: ConstructorParameters<typeof ContextloomError>[0], message: string) =>
    new ContextloomError(code, message, { cause });
  if (cause instanceof ContextloomError) return cause;
  if (cause instanceof OpenAI.APIUserAbortError || (cause instanceof Error && cause.name === 'AbortError')) {
    return say('unavailable', `the call to ${address} was ended`);
  }
  if (cause instanceof OpenAI.APIConnectionTimeoutError) return say('timeout', `${address} did not answer in time`);
  const status = cause instanceof OpenAI.APIError ? cause.status : undefined;
  if (status === undefined) {
    const isSpeaking = isNoJson(cause);
    return say(
      'unavailable',
      `${address} ${isSpeaking ? 'does not answer in JSON' : 'cannot be reached'}: check ${baseUrl}`,
    );
  }
  if (status === 401 || status === 403)
    return say('unauthorized', `${address} does not accept the key: check ${apiKey}`);
  if (status === 429)
    return say('rate_limited', `${address} takes no more calls: its limit, or the credit of the account, is used up`);
  if (status < 500)
    return say('unavailable', `${address} refused the request with HTTP ${status}: check ${model} and ${baseUrl}`);
  return say('unavailable', `${address} failed with HTTP ${status}`);
}
