/** The kinds of request that get memory: OpenAI's chat completions and responses, and Anthropic's messages. */
export type ChatKind = 'chat' | 'responses' | 'messages';

const kinds: Readonly<Record<string, ChatKind>> = {
  '/chat/completions': 'chat',
  '/responses': 'responses',
  '/messages': 'messages',
};

/** The kind of a request, by its path behind `/v1`; undefined for what is no chat. */
export function toChatKind(method: string | undefined, path: string): ChatKind | undefined {
  return method === 'POST' && Object.hasOwn(kinds, path) ? kinds[path] : undefined;
}
