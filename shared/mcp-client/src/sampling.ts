import { randomUUID } from 'node:crypto';
import { ContextloomError } from '@contextloom/contracts';
import {
  type Client,
  type CreateMessageRequestParams,
  type CreateMessageResult,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';

/**
 * The key of `_meta` under which a call gets a name that nobody can guess, and under which its server says in which call it asks for a
 * sampling: many callers share a connection, and each is asked in its own calls alone.
 */
export const CALL_KEY = 'contextloom/call';

/** What the model of a client is asked. */
export interface SamplingQuestion {
  readonly system?: string | undefined;
  readonly messages: readonly { readonly role: 'user' | 'assistant'; readonly text: string }[];
  readonly maxTokens: number;
  /** A model that would suit; the client chooses. */
  readonly hint?: string | undefined;
}

/** What it answered. */
export interface SamplingAnswer {
  readonly text: string;
  /** Whether it was cut off at `maxTokens`. */
  readonly isCutOff: boolean;
}

/**
 * Asks the model of the client that called.
 * @throws ContextloomError `unavailable` where the client offers none, or its user said no
 */
export type Sample = (question: SamplingQuestion, signal: AbortSignal) => Promise<SamplingAnswer>;

/** Most UTF-16 code units of a question, and most tokens of an answer, that pass. */
const MAX_LENGTH = 400_000;
const MAX_TOKENS = 32_000;

/** A question as MCP has it. Source: MCP 2025-11-25, sampling. */
export function toSamplingParams({ system, messages, maxTokens, hint }: SamplingQuestion): CreateMessageRequestParams {
  return {
    messages: messages.map(({ role, text }) => ({ role, content: { type: 'text' as const, text } })),
    ...(system !== undefined && { systemPrompt: system }),
    maxTokens,
    includeContext: 'none',
    ...(hint !== undefined && { modelPreferences: { hints: [{ name: hint }] } }),
  };
}

/** Reads an answer. @throws ContextloomError `unavailable` for one without words */
export function readSamplingResult({
  content,
  stopReason,
}: Pick<CreateMessageResult, 'stopReason'> & { readonly content: unknown }): SamplingAnswer {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  const texts = blocks.flatMap((block) => {
    const { type, text } = Object(block);
    return type === 'text' && typeof text === 'string' ? [text] : [];
  });
  if (texts.length === 0) throw new ContextloomError('unavailable', "the client's model answered without words");
  return { text: texts.join('\n'), isCutOff: stopReason === 'maxTokens' };
}

/** Why a client was not asked to the end. */
export function toSamplingFailure(cause: unknown): ContextloomError {
  const isUnknown = cause instanceof ProtocolError && cause.code === ProtocolErrorCode.MethodNotFound;
  const message = isUnknown ? NOT_OFFERED : 'the connected client did not answer what its model was asked';
  return new ContextloomError('unavailable', message, { cause });
}

/** Of a client that has no model to ask. */
export const NOT_OFFERED =
  'the connected client offers no model: LLM_PROVIDER=sampling needs one that supports sampling';

/** The calls of a connection in which its server may ask for a sampling. */
export interface Samplers {
  /** Answers what `_meta` of the call is to hold, and forgets the call when `work` is done. */
  readonly during: <T>(
    sample: Sample | undefined,
    work: (meta: Readonly<Record<string, string>>) => Promise<T>,
  ) => Promise<T>;
  /** Has a client answer them. */
  readonly serve: (client: Client) => void;
}

const refused = (message: string) => new ProtocolError(ProtocolErrorCode.MethodNotFound, message);

/** Keeps such calls. */
export function createSamplers(newToken: () => string = randomUUID): Samplers {
  const open = new Map<string, Sample>();
  return {
    during: async (sample, work) => {
      if (sample === undefined) return work({});
      const token = newToken();
      open.set(token, sample);
      try {
        return await work({ [CALL_KEY]: token });
      } finally {
        open.delete(token);
      }
    },
    serve: (client) => {
      client.setRequestHandler('sampling/createMessage', async ({ params }, { mcpReq }) => {
        const sample = open.get(String(mcpReq._meta?.[CALL_KEY]));
        if (sample === undefined) throw refused('no call of this client asks for it');
        const { systemPrompt: system, messages, maxTokens } = params;
        const texts = messages.map(({ role, content }) => ({ role, text: readSamplingResult({ content }).text }));
        const length = texts.reduce((sum, { text }) => sum + text.length, system?.length ?? 0);
        if (length > MAX_LENGTH || maxTokens > MAX_TOKENS) throw refused('the question is too long');
        const hint = params.modelPreferences?.hints?.[0]?.name;
        const { text, isCutOff } = await sample({ system, messages: texts, maxTokens, hint }, mcpReq.signal);
        const stopReason = isCutOff ? ('maxTokens' as const) : ('endTurn' as const);
        return { role: 'assistant' as const, model: 'client', content: { type: 'text' as const, text }, stopReason };
      });
    },
  };
}
