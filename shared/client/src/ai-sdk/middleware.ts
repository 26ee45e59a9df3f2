import type { LanguageModelMiddleware } from 'ai';
import type { ContextloomClient } from '../contextloom.ts';
import { createTurnMemory, type Turn, type TurnMemory, type TurnOptions } from '../turns/turn-memory.ts';

type WrapGenerate = NonNullable<LanguageModelMiddleware['wrapGenerate']>;
type WrapStream = NonNullable<LanguageModelMiddleware['wrapStream']>;
type StreamPart = Awaited<ReturnType<WrapStream>>['stream'] extends ReadableStream<infer Part> ? Part : never;
type Prompt = Parameters<WrapGenerate>[0]['params']['prompt'];

/** What the user and the model said to each other; results of tools and thoughts are left out. */
function toTurns(prompt: Prompt): readonly Turn[] {
  return prompt.flatMap(({ role, content }) => {
    if (role !== 'user' && role !== 'assistant') return [];
    const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('');
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

/**
 * A middleware for `wrapLanguageModel`: each call gets the system prompt of the persona with what is remembered in front of the
 * application's own messages, and a turn that is answered is stored.
 */
export function memoryMiddleware(memory: ContextloomClient, options: TurnOptions): LanguageModelMiddleware {
  const turnMemory = createTurnMemory(memory, options);
  return {
    specificationVersion: 'v3',
    transformParams: async ({ params }) => {
      const system = await turnMemory.compose(toTurns(params.prompt), params.abortSignal);
      if (system === undefined) return params;
      return { ...params, prompt: [{ role: 'system', content: system }, ...params.prompt] };
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
