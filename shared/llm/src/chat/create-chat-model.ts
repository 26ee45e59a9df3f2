import type { ChatModel } from './chat-model.ts';

/** Which model to speak to, and how. */
export interface ChatModelSettings {
  readonly model: string;
  /** Such as `http://127.0.0.1:11434/v1`; OpenAI's own when absent. */
  readonly baseUrl?: string | undefined;
  /** Absent for endpoints that want none. */
  readonly apiKey?: string | undefined;
  /** How answers in JSON are requested; `auto` finds out what the endpoint takes. */
  readonly structured?: 'auto' | 'json_schema' | 'json_object' | 'text' | undefined;
  /** How long one try of a call may take, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** Calls at once. */
  readonly concurrency?: number | undefined;
  /** Tries of one call that fails, the first among them. */
  readonly attempts?: number | undefined;
  /** How long the endpoint may put one call off (HTTP 429), in milliseconds. */
  readonly patienceMs?: number | undefined;
  /** Waits before a call is tried again; a timer unless given. */
  readonly sleep?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
}

/**
 * Builds the chat model of an OpenAI-compatible endpoint; nothing is sent before the first call. Errors name the settings
 * `LLM_BASE_URL`, `LLM_API_KEY` and `LLM_MODEL`.
 * @throws ContextloomError `invalid` for an address that is not valid
 */
export async function createChatModel(settings: ChatModelSettings): Promise<ChatModel> {
  // The client is loaded by those who use it: it costs every start a tenth of a second.
  const { createOpenAiChatModel } = await import('../openai/chat.ts');
  return createOpenAiChatModel({
    ...settings,
    settings: { baseUrl: 'LLM_BASE_URL', apiKey: 'LLM_API_KEY', model: 'LLM_MODEL' },
  });
}
