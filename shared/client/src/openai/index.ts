import type { OpenAI } from 'openai';
import type { ContextloomClient } from '../contextloom.ts';
import { type MemoryToolsOptions, toMemoryTools } from '../tools/memory-tools.ts';
import { BESIDE, createTurnMemory, type Turn, type TurnOptions } from '../turns/turn-memory.ts';

export type { MemoryToolName, MemoryToolsOptions } from '../tools/memory-tools.ts';
export type { TurnOptions } from '../turns/turn-memory.ts';

type Message = OpenAI.Chat.ChatCompletionMessageParam;

/** A tool for `runTools`, and for `create`, which sends its name, description and parameters alone. */
export interface OpenAiMemoryTool {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    readonly parameters: Record<string, unknown>;
    /** Reads the arguments of a call. @throws SyntaxError, whose message `runTools` shows to the model */
    readonly parse: (text: string) => object;
    readonly function: (args: object) => Promise<object>;
  };
}

/** Which tools a model gets, and what ends their calls. */
export interface OpenAiToolsOptions extends MemoryToolsOptions {
  readonly signal?: AbortSignal | undefined;
}

/** The memory's tools for `openai.chat.completions`. */
export function openAiTools(memory: ContextloomClient, options: OpenAiToolsOptions = {}): OpenAiMemoryTool[] {
  const { signal } = options;
  return toMemoryTools(memory, options).map(({ name, description, parameters, run }) => ({
    type: 'function',
    function: {
      name,
      description,
      parameters: { ...parameters },
      parse: (text) => Object(JSON.parse(text)) as object,
      function: (args) => run(args, { signal }),
    },
  }));
}

/** A chat with memory. */
export interface OpenAiChatOptions extends TurnOptions, MemoryToolsOptions {
  /** What every request has, such as `temperature`. */
  readonly request: Omit<OpenAI.Chat.ChatCompletionCreateParamsNonStreaming, 'messages' | 'tools' | 'stream'>;
}

/** How one turn is asked. */
export interface AskOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Answers the last of the messages. */
export type AskOpenAi = (messages: readonly Message[], options?: AskOptions) => Promise<string>;

function toText(content: Message['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}

function toTurns(messages: readonly Message[]): readonly Turn[] {
  return messages.flatMap(({ role, content }) => {
    const text = toText(content);
    return (role === 'user' || role === 'assistant') && text !== '' ? [{ role, content: text }] : [];
  });
}

/** The messages with a block at the newest one of the user; all others are those that were given. */
function withRecall(messages: readonly Message[], recall: string): readonly Message[] {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  return messages.map((message, index) => {
    if (index !== at || message.role !== 'user' || recall === '') return message;
    const { content } = message;
    const block = { type: 'text' as const, text: recall };
    return { ...message, content: typeof content === 'string' ? content + BESIDE + recall : [...content, block] };
  });
}

/**
 * Wraps a chat loop: each question gets the system prompt of the persona and what is remembered, the model may use the memory's
 * tools, and the turn is stored.
 */
export function createOpenAiChat(openai: OpenAI, memory: ContextloomClient, options: OpenAiChatOptions): AskOpenAi {
  const { request, only, ...turnOptions } = options;
  const turnMemory = createTurnMemory(memory, turnOptions);
  return async (messages, { signal } = {}) => {
    const turns = toTurns(messages);
    const composed = await turnMemory.compose(turns, signal);
    const conversation: Message[] = [
      ...(composed === undefined ? [] : [{ role: 'system' as const, content: composed.system }]),
      ...withRecall(messages, composed?.recall ?? ''),
    ];
    const tools = openAiTools(memory, { only, signal });
    const { completions } = openai.chat;
    const within = { signal: signal ?? null };
    const answer =
      tools.length === 0
        ? (await completions.create({ ...request, messages: conversation }, within)).choices[0]?.message.content
        : await completions.runTools({ ...request, messages: conversation, tools }, within).finalContent();
    await turnMemory.store(turns, answer ?? '');
    return answer ?? '';
  };
}
