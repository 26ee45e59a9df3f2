import OpenAI from 'openai';

/** How an endpoint is asked for JSON, the strictest first. */
export const structuredModes = ['json_schema', 'json_object', 'text'] as const;
/** One of {@link structuredModes}. */
export type StructuredMode = (typeof structuredModes)[number];

/** How an endpoint wants to be asked. */
export interface Capabilities {
  readonly mode: StructuredMode;
  readonly limit: 'max_completion_tokens' | 'max_tokens';
  readonly hasTemperature: boolean;
  /** Whether reasoning has to be switched off in so many words. */
  readonly isUnthinking: boolean;
}

/**
 * How every endpoint is asked at first. What follows is learnt from refusals, since endpoints differ and none can be asked
 * what it knows: OpenAI's reasoning models take `max_completion_tokens` and no temperature; DeepSeek and older models of
 * Doubao take `json_object` and no schema; some take neither; Qwen's thinking models answer plain calls only with
 * `enable_thinking` off; Ollama and vLLM take the schema.
 */
export function toInitialCapabilities(mode: StructuredMode): Capabilities {
  return { mode, limit: 'max_tokens', hasTemperature: true, isUnthinking: false };
}

/** What to do differently after a refused request; undefined when the refusal was about something else. */
export function learn(error: unknown, sent: Capabilities, isModeFixed: boolean): Partial<Capabilities> | undefined {
  if (!(error instanceof OpenAI.BadRequestError)) return undefined;
  const about = `${error.param ?? ''} ${error.message}`;
  if (/enable_thinking/i.test(about) && !sent.isUnthinking) return { isUnthinking: true };
  if (/max_completion_tokens|max_tokens/i.test(about)) {
    return { limit: sent.limit === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens' };
  }
  if (/temperature/i.test(about) && sent.hasTemperature) return { hasTemperature: false };
  const next = structuredModes[structuredModes.indexOf(sent.mode) + 1];
  if (isModeFixed || next === undefined || !/response_format|json_schema|json_object|guided|schema/i.test(about)) {
    return undefined;
  }
  return { mode: next };
}
