/** One of the APIs that the proxy gives memory: how a request of it looks, and an answer. */
export interface EntryPoint {
  readonly path: string;
  /** A conversation as a request; `more` are members besides. */
  readonly toBody: (turns: readonly unknown[], more?: object) => string;
  /** A result of a tool, and the call that it answers, as two items of the conversation. */
  readonly toolStep: readonly unknown[];
  readonly textType: string;
  readonly picture: object;
  /** Names the end user of a request. */
  readonly toUser: (id: string) => object;
  readonly system: (words: string) => object;
  readonly toAnswer: (words: string) => object;
  /** An answer that calls a tool and says nothing. */
  readonly toolAnswer: object;
  /** The events of a stream, with what a client alone needs between the words. */
  readonly toEvents: (...words: readonly string[]) => readonly string[];
  readonly error: string;
}

const toEvent = (data: object & { readonly type?: string }): string =>
  `${data.type === undefined ? '' : `event: ${data.type}\n`}data: ${JSON.stringify(data)}\n\n`;

/** The three of them. */
export const entryPoints: Readonly<Record<string, EntryPoint>> = {
  'chat completions': {
    path: '/chat/completions',
    toBody: (messages, more = {}) => JSON.stringify({ model: 'm', ...more, messages }),
    toolStep: [
      { role: 'assistant', content: null, tool_calls: [{ id: 't', type: 'function', function: { name: 'f' } }] },
      { role: 'tool', tool_call_id: 't', content: 'seven' },
    ],
    textType: 'text',
    picture: { type: 'image_url', image_url: { url: 'data:,' } },
    toUser: (user) => ({ user }),
    system: (content) => ({ messages: [{ role: 'system', content }] }),
    toAnswer: (content) => ({ choices: [{ message: { content } }] }),
    toolAnswer: { choices: [{ message: { content: null, tool_calls: [{ id: 't' }] } }] },
    toEvents: (...words) => [
      ...words.map((content) => toEvent(Object({ choices: [{ index: 0, delta: { content } }] }))),
      'data: [DONE]\n\n',
    ],
    error: '{"error": {"message":"no", "type":"rate_limit"} }',
  },
  responses: {
    path: '/responses',
    toBody: (input, more = {}) => JSON.stringify({ model: 'm', ...more, input }),
    toolStep: [
      { type: 'reasoning', id: 'r', summary: [] },
      { type: 'function_call', call_id: 't', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 't', output: 'seven' },
    ],
    textType: 'input_text',
    picture: { type: 'input_image', image_url: 'data:,' },
    toUser: (user) => ({ user }),
    system: (instructions) => ({ instructions }),
    toAnswer: (text) => ({ output: [{ type: 'message', content: [{ type: 'output_text', text }] }] }),
    toolAnswer: { output: [{ type: 'function_call', call_id: 't', name: 'f', arguments: '{}' }] },
    toEvents: (...words) => [
      toEvent(Object({ type: 'response.created', response: {} })),
      ...words.map((delta) => toEvent(Object({ type: 'response.output_text.delta', delta }))),
      toEvent(Object({ type: 'response.completed', response: {} })),
    ],
    error: '{"error": {"message":"no", "type":"rate_limit"} }',
  },
  messages: {
    path: '/messages',
    toBody: (messages, more = {}) => JSON.stringify({ model: 'claude', max_tokens: 9, ...more, messages }),
    toolStep: [
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'seven' }] },
    ],
    textType: 'text',
    picture: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } },
    toUser: (user_id) => ({ metadata: { user_id } }),
    system: (system) => ({ system }),
    toAnswer: (text) => ({
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'text', text },
      ],
    }),
    toolAnswer: { content: [{ type: 'tool_use', id: 't', name: 'f', input: {} }] },
    toEvents: (...words) => [
      toEvent(Object({ type: 'message_start', message: {} })),
      toEvent(Object({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } })),
      ...words.map((text) =>
        toEvent(Object({ type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text } })),
      ),
      toEvent(Object({ type: 'message_stop' })),
    ],
    error: '{"type":"error", "error": {"type":"overloaded_error","message":"no"} }',
  },
};
