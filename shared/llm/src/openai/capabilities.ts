import OpenAI from 'openai';

/** How JSON is requested, the strictest first. */
export const structuredModes = ['json_schema', 'json_object', 'text'] as const;
/** One of {@link structuredModes}. */
export type StructuredMode = (typeof structuredModes)[number];

/** How an endpoint wants to be asked. */
export interface Capabilities {
  readonly mode: StructuredMode;
  readonly limit: 'max_completion_tokens' | 'max_tokens';
  /** Whether the other name of the limit was tried and refused, so that it is not the name that is wrong. */
  readonly isLimitSettled: boolean;
  /** The most tokens of an answer that the endpoint accepts in a request, once an error has named them. */
  readonly maxTokens: number;
  readonly hasTemperature: boolean;
  /** Whether a request must switch reasoning off explicitly. */
  readonly isUnthinking: boolean;
}

/**
 * How every endpoint is asked at first. What follows is learnt from refusals, since endpoints differ and none can say
 * what it supports: OpenAI's reasoning models take `max_completion_tokens` and no temperature; DeepSeek and older models of
 * Doubao take `json_object` and no schema; some take neither; Qwen's thinking models answer plain calls only with
 * `enable_thinking` off; Ollama and vLLM take the schema; small models take fewer tokens of an answer than requested.
 */
export function toInitialCapabilities(mode: StructuredMode): Capabilities {
  return {
    mode,
    limit: 'max_tokens',
    isLimitSettled: false,
    maxTokens: Number.POSITIVE_INFINITY,
    hasTemperature: true,
    isUnthinking: false,
  };
}

/** A limit below this leaves no room for an answer. */
const LEAST_TOKENS = 64;
const TOO_MANY =
  /too (?:large|big|high|long|many)|at most|maximum|exceed|less than|no more than|up to|supports|range|<=|≤|must be (?:in|between|within)|超过|不能大于|范围/iu;
const LIMIT_NAME = /max_completion_tokens|max_tokens|max_new_tokens|max output|completion tokens/iu;

/** The room that a refusal leaves for an answer: the limit that it names, what its context has left, else half. */
function readLimit(about: string, sent: number): number | undefined {
  const plain = about.replace(/(\d),(?=\d{3}(?!\d))/gu, '$1');
  const [context, prompt] = [
    /context (?:length|window|size)[^\d]{0,20}(\d{3,})/iu.exec(plain)?.[1],
    /(\d+)\s*(?:tokens\s*)?(?:in|from|of) (?:the |your )?(?:messages|prompt|input)/iu.exec(plain)?.[1],
  ];
  const named = (plain.match(/\d+/gu) ?? []).map(Number).filter((count) => count < sent && count >= LEAST_TOKENS);
  const left = context === undefined || prompt === undefined ? undefined : Number(context) - Number(prompt) - 16;
  const space = left ?? (named.length > 0 ? Math.max(...named) : Math.floor(sent / 2));
  return space >= LEAST_TOKENS && space < sent ? space : undefined;
}

/** What to learn of a refusal that names the limit of tokens: a smaller one, or its other name. */
function learnLimit(
  about: string,
  sent: Capabilities,
  maxTokens: number | undefined,
): Partial<Capabilities> | undefined {
  const other = sent.limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  const isTooMany = TOO_MANY.test(about) && !/unsupported|not supported|unrecognized|use ['"`]?max_/iu.test(about);
  if (isTooMany && maxTokens !== undefined) {
    const space = readLimit(about, Math.min(maxTokens, sent.maxTokens));
    return space === undefined ? undefined : { maxTokens: space };
  }
  return sent.isLimitSettled ? undefined : { limit: other, isLimitSettled: true };
}

/** Statuses that refuse a request for its content. */
const REFUSED: readonly (number | undefined)[] = [400, 422, 501];

/** Whether an endpoint refused a request for its content, from which its sender may learn. */
export function isRefused(error: unknown): error is InstanceType<typeof OpenAI.APIError> {
  return error instanceof OpenAI.APIError && REFUSED.includes(error.status);
}

/**
 * What to do differently after a refused request; undefined when the refusal was about something else.
 * @param maxTokens what the request asked for
 */
export function learn(
  error: unknown,
  sent: Capabilities,
  isModeFixed: boolean,
  maxTokens?: number,
): Partial<Capabilities> | undefined {
  if (!isRefused(error)) return undefined;
  // The library puts the status before the message.
  const about = `${error.param ?? ''} ${error.message.replace(/^\d{3}\s/u, '')}`;
  if (/enable_thinking/i.test(about) && !sent.isUnthinking) return { isUnthinking: true };
  if (LIMIT_NAME.test(about)) return learnLimit(about, sent, maxTokens);
  if (/temperature/i.test(about) && sent.hasTemperature) return { hasTemperature: false };
  const next = structuredModes[structuredModes.indexOf(sent.mode) + 1];
  if (isModeFixed || next === undefined || !/response_format|json_schema|json_object|guided|schema/i.test(about)) {
    return undefined;
  }
  return { mode: next };
}
