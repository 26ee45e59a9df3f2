import type { LanguageModelMiddleware } from 'ai';
import type { ContextloomClient } from '../contextloom.ts';
import { createTurnMemory, type Turn, type TurnMemory, type TurnOptions } from '../turns/turn-memory.ts';

type WrapGenerate = NonNullable<LanguageModelMiddleware['wrapGenerate']>;
type WrapStream = NonNullable<LanguageModelMiddleware['wrapStream']>;
type StreamPart = Awaited<ReturnType<WrapStream>>['stream'] extends ReadableStream<infer Part> ? Part : never;
type Prompt = Parameters<WrapGenerate>[0]['params']['prompt'];

/** What this middleware writes is known again by this: it is no words of the user's, and is not stored. */
const RECALL = 'contextloom';

/** What the user and the model said to each other; results of tools, thoughts and what was remembered are left out. */
function toTurns(prompt: Prompt): readonly Turn[] {
  return prompt.flatMap(({ role, content }) => {
    if (role !== 'user' && role !== 'assistant') return [];
    const text = content
      .map((part) => (part.type === 'text' && part.providerOptions?.[RECALL] === undefined ? part.text : ''))
      .join('');
    return text === '' ? [] : [{ role, content: text }];
  });
}

/** Gathers what a stream says, and stores the turn before the stream ends. A step that calls tools is not yet the answer. */
function storeAtEnd(prompt: Prompt, turnMemory: TurnMemory): TransformStream<StreamPart, StreamPart> {
  let answer = '';
  let isWhole = false;
  return new TransformStream({
    transform: (part, controller) => {
      if (part.type === 'text-delta') answer += part.delta;
      if (part.type === 'finish') isWhole = part.finishReason.unified === 'stop';
      controller.enqueue(part);
    },
    flush: async () => {
      if (isWhole) await turnMemory.store(toTurns(prompt), answer);
    },
  });
}

type Part = Extract<Prompt[number], { role: 'user' }>['content'][number];

/** Says to Anthropic's models that all up to here can be cached, unless the application says so itself; others do not read it. */
function toCached(part: Part): Part {
  const { anthropic, ...others } = part.providerOptions ?? {};
  return { ...part, providerOptions: { ...others, anthropic: { cacheControl: { type: 'ephemeral' }, ...anthropic } } };
}

/** Whether an application says itself up to where its messages are cached. */
function saysWhatIsCached({ content, providerOptions }: Prompt[number]): boolean {
  const all = [providerOptions, ...(typeof content === 'string' ? [] : content.map((part) => part.providerOptions))];
  return all.some((options) => options?.['anthropic']?.['cacheControl'] !== undefined);
}

/** The prompt with a block at the newest message of the user; all other messages are those that were given. */
function withRecall(prompt: Prompt, recall: string): Prompt {
  const at = prompt.findLastIndex(({ role }) => role === 'user');
  if (recall === '') return prompt;
  const isOwn = prompt.some(saysWhatIsCached);
  return prompt.map((message, index) => {
    if (index !== at || message.role !== 'user') return message;
    const said = message.content.map((part, place, { length }) =>
      isOwn || place < length - 1 ? part : toCached(part),
    );
    return {
      ...message,
      content: [...said, { type: 'text', text: recall, providerOptions: { [RECALL]: { recall: true } } }],
    };
  });
}

/**
 * A middleware for `wrapLanguageModel`: each call gets the system prompt of the persona in front of the application's own messages and
 * what is remembered with the newest one of the user, and a turn that is answered is stored.
 */
export function memoryMiddleware(memory: ContextloomClient, options: TurnOptions): LanguageModelMiddleware {
  const turnMemory = createTurnMemory(memory, options);
  return {
    specificationVersion: 'v3',
    transformParams: async ({ params }) => {
      const composed = await turnMemory.compose(toTurns(params.prompt), params.abortSignal);
      if (composed === undefined) return params;
      const { system, recall } = composed;
      return { ...params, prompt: [{ role: 'system', content: system }, ...withRecall(params.prompt, recall)] };
    },
    wrapGenerate: async ({ doGenerate, params }) => {
      const result = await doGenerate();
      const answer = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      if (result.finishReason.unified === 'stop') await turnMemory.store(toTurns(params.prompt), answer);
      return result;
    },
    wrapStream: async ({ doStream, params }) => {
      const { stream, ...rest } = await doStream();
      return { ...rest, stream: stream.pipeThrough(storeAtEnd(params.prompt, turnMemory)) };
    },
  };
}
