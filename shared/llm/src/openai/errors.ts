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

/** The codes of an error and of all that caused it; the platform's own errors tell by them what broke. */
function readCodes(error: unknown): readonly string[] {
  const codes: string[] = [];
  for (let [one, depth] = [error, 0]; one !== undefined && one !== null && depth < 6; depth += 1) {
    const { code, name, message, cause } = Object(one) as Record<'code' | 'name' | 'message' | 'cause', unknown>;
    codes.push(`${String(code ?? '')} ${String(name ?? '')} ${String(message ?? '')}`);
    one = cause;
  }
  return codes;
}

const BROKEN_OFF =
  /UND_ERR_SOCKET|UND_ERR_(?:RESPONSE|RES)|ECONNRESET|EPIPE|other side closed|socket hang up|terminated|Premature close/u;
const GARBLED = /Z_(?:DATA|BUF)_ERROR|incorrect header check|ERR__?(?:BROTLI|ZSTD)/u;
const UNTRUSTED = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|EPROTO|wrong version number/u;

/** Whether a connection was made and ended before the answer did. */
const isBrokenOff = (error: unknown): boolean => readCodes(error).some((code) => BROKEN_OFF.test(code));

/** The message for a failure without words of the endpoint. */
function toSilentFailure(error: unknown): string {
  if (isNoJson(error)) return 'does not answer in JSON';
  const codes = readCodes(error);
  if (codes.some((code) => UNTRUSTED.test(code))) return 'has a certificate that is not trusted, or does not speak TLS';
  if (codes.some((code) => GARBLED.test(code))) return 'sends an answer that is not compressed as its headers say';
  return codes.some((code) => BROKEN_OFF.test(code))
    ? 'broke the connection off before its answer was whole'
    : 'cannot be reached';
}

const PASSING = new Set([408, 409, 425, 500, 502, 503, 504, 529]);

/** Whether a failed call may succeed when it is made again, and when; `nowMs` is the time of day, for dates. */
export function judgeFailure(error: unknown, nowMs: number): Verdict {
  if (error instanceof OpenAI.APIUserAbortError) return { kind: 'fail' };
  if (error instanceof OpenAI.APIConnectionError) return { kind: 'retry', afterMs: undefined };
  // A success that is no JSON: a proxy spoke, or the answer was cut off.
  if (isNoJson(error)) return { kind: 'retry', afterMs: undefined };
  // The head of an answer came, and not all of its body.
  if (!(error instanceof OpenAI.APIError || error instanceof ContextloomError) && isBrokenOff(error))
    return { kind: 'retry', afterMs: undefined };
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
  /content[_ ]?(?:filter|policy|management|moderation|exists risk)|data_inspection_failed|inappropriate content|responsible ?ai|moderation|flagged|safety|prohibited|harmful|risk[_ ]control|敏感|不安全|违规/iu;

/** Whether a request was refused for the content of its messages: another request may succeed. */
export function isFiltered(error: unknown): boolean {
  if (!(error instanceof OpenAI.APIError) || ![400, 403, 422, 451].includes(error.status ?? 0)) return false;
  return error.code === '1301' || FILTER_WORDS.test(`${error.code ?? ''} ${error.type ?? ''} ${error.message}`);
}

/** Whether a request was refused for its length: a shorter one may well be answered. */
function isTooLong(error: unknown): boolean {
  if (!(error instanceof OpenAI.APIError)) return false;
  const about = `${error.code ?? ''} ${error.message}`;
  return (
    error.status === 413 ||
    /context_length|context (?:length|window|size)|prompt is too long|input is too long/iu.test(about)
  );
}

/** Where a redirect leads, without the query, which may hold a key. */
function toPlace(location: string | null | undefined, address: string): string {
  if (location === null || location === undefined || !URL.canParse(location, address)) return '';
  const { origin, pathname } = new URL(location, address);
  return ` to ${origin}${pathname}`;
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
    return say('unavailable', `${address} ${toSilentFailure(cause)}: check ${baseUrl}`);
  }
  if (status === 401 || status === 403)
    return say('unauthorized', `${address} does not accept the key: check ${apiKey}`);
  if (status === 429)
    return say('rate_limited', `${address} takes no more calls: its limit, or the credit of the account, is used up`);
  if (status < 400) {
    const location = cause instanceof OpenAI.APIError ? cause.headers?.get('location') : undefined;
    return say('unavailable', `${address} redirects${toPlace(location, address)}: set ${baseUrl} to where it answers`);
  }
  if (isTooLong(cause))
    return say('too_large', `${address} finds the request too long: its context has no room for it`);
  if (status < 500)
    return say('unavailable', `${address} refused the request with HTTP ${status}: check ${model} and ${baseUrl}`);
  return say('unavailable', `${address} failed with HTTP ${status}`);
}
