import { ContextloomError } from '@contextloom/contracts';
import type { z } from 'zod';
import type { ChatAnswer, ChatModel, ChatRequest, JsonShape } from '../chat/chat-model.ts';
import { toJsonOrder } from '../chat/strict-schema.ts';
import { judgeAnswer } from '../openai/chat.ts';

/** What the model of whoever calls is asked. */
export interface SamplingRequest {
  readonly system?: string | undefined;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  readonly maxTokens: number;
  /** A model that would suit. */
  readonly hint?: string | undefined;
}

/** What a model by sampling is made of. */
export interface SamplingModelOptions {
  /** Asks it, in the call that is under way. @throws ContextloomError where nobody can be asked */
  readonly ask: (
    request: SamplingRequest,
    signal: AbortSignal,
  ) => Promise<{ readonly text: string; readonly isCutOff: boolean }>;
  /** The model that the settings name, which its client may take or not. */
  readonly model?: string | undefined;
  /** How long one answer may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** Most tokens of an answer where a request does not say. */
const MAX_TOKENS = 4_000;

/** The messages as a client takes them: those of the system apart, and who speaks in turns. */
function toRequest({ messages, maxTokens = MAX_TOKENS }: ChatRequest, order: string | undefined): SamplingRequest {
  const system = messages.flatMap(({ role, content }) => (role === 'system' ? [content] : [])).join('\n\n');
  const said = messages.flatMap(({ role, content }) => (role === 'system' ? [] : [{ role, text: content }]));
  const last = said.at(-1);
  const asked =
    order === undefined
      ? said
      : last?.role === 'user'
        ? [...said.slice(0, -1), { role: last.role, text: `${last.text}\n\n${order}` }]
        : [...said, { role: 'user' as const, text: order }];
  return { ...(system !== '' && { system }), messages: asked, maxTokens };
}

/** Builds a model that is whoever calls: the client's own, asked in the middle of its call. Nobody tells what an answer took. */
export function createSamplingModel({ ask, model, timeoutMs }: SamplingModelOptions): ChatModel {
  const answer = async (request: ChatRequest, shape?: JsonShape<z.ZodType>): Promise<ChatAnswer> => {
    const late = AbortSignal.timeout(timeoutMs);
    const signal = request.signal === undefined ? late : AbortSignal.any([late, request.signal]);
    const question = toRequest(request, shape && toJsonOrder(shape));
    try {
      const { text, isCutOff } = await ask({ ...question, hint: model }, signal);
      request.onText?.(text);
      return { text, finish: isCutOff ? 'length' : 'stop', usage: { input: 0, output: 0 } };
    } catch (cause) {
      if (late.aborted) throw new ContextloomError('timeout', "the client's model did not answer in time", { cause });
      throw cause;
    }
  };
  return {
    model: model ?? 'sampling',
    address: 'sampling',
    complete: (request) => answer(request),
    completeJson: async (request, shape) => judgeAnswer(await answer(request, shape), shape),
  };
}
