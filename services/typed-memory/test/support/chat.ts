import { type RecordedBody, type ScriptedOpenAi, type Step, startScriptedOpenAi } from '@contextloom/testing/llm';
import type { ChatMessageRequest, ChatOutcome } from '../../src/domain/chat.ts';
import type { TypedMemory } from '../../src/domain/typed-memory.ts';
import { openTestService, openTestStore } from './service.ts';

/** A model that says one thing, and keeps some memories of every message. */
export interface Scripted {
  readonly says?: (body: RecordedBody) => Step;
  readonly keeps?: readonly object[] | ((body: RecordedBody) => readonly object[]);
  readonly env?: Readonly<Record<string, string>>;
}

/** Whether a request asks what to keep; else it asks for an answer. */
export const isKeeping = ({ response_format: format }: RecordedBody): boolean => format !== undefined;

/** The settings that name an endpoint. */
export const toModelSettings = ({ url, apiKey }: ScriptedOpenAi) => ({
  LLM_BASE_URL: url,
  LLM_API_KEY: apiKey,
  AI_MODEL: 'scripted',
});

/** Starts a scripted model. */
export function startScriptedChat({
  says = () => ({ kind: 'answer', text: 'Noted.' }),
  keeps = [],
}: Scripted = {}): Promise<ScriptedOpenAi> {
  const toKept = typeof keeps === 'function' ? keeps : () => keeps;
  return startScriptedOpenAi({
    chat: ({ body }) =>
      isKeeping(body) ? { kind: 'answer', text: JSON.stringify({ memories: toKept(body) }) } : says(body),
  });
}

/** The service with a scripted model, over the knowledge base at an address. */
export async function openScriptedService(knowledgeBaseUrl: string, scripted: Scripted = {}) {
  const endpoint = await startScriptedChat(scripted);
  const store = openTestStore(knowledgeBaseUrl);
  const { memory } = await openTestService({ store, env: { ...toModelSettings(endpoint), ...scripted.env } });
  return { endpoint, memory, store };
}

/** Says something to the service. */
export function say(
  memory: TypedMemory,
  userId: string,
  message: string,
  more: Partial<ChatMessageRequest> = {},
): Promise<ChatOutcome> {
  if (memory.chat === undefined) throw new Error('there is no chat');
  return memory.chat(userId, {
    message,
    kept: message,
    memorizing: true,
    imageUris: [],
    conversation: '',
    onText: () => undefined,
    signal: new AbortController().signal,
    ...more,
  });
}
