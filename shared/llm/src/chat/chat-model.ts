import type { z } from 'zod';

/** One message of a conversation with a model. */
export interface ChatMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
  /** Images that belong to it, as `data:` or `https:` URIs, for models that see. */
  readonly images?: readonly string[];
}

/** Tokens that a call was billed for, as the endpoint counted them; zeros when it does not tell. */
export interface TokenUsage {
  readonly input: number;
  readonly output: number;
}

/** What a model is asked. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  /** The most tokens that the answer may have, reasoning included. */
  readonly maxTokens?: number;
  /** 0 to 2; the model's own when absent. */
  readonly temperature?: number;
  readonly signal?: AbortSignal | undefined;
  /**
   * Gets the answer piece by piece as it is written; an answer that breaks off after its first piece is not requested again.
   * Endpoints do not tell the usage of such a call.
   */
  readonly onText?: ((piece: string) => void) | undefined;
}

/** A model's answer in text. */
export interface ChatAnswer {
  readonly text: string;
  /** `length`: the answer was cut off at `maxTokens`; `refused`: the model or a filter in front of it said no. */
  readonly finish: 'stop' | 'length' | 'refused';
  readonly usage: TokenUsage;
}

/** A model's answer as a value, or what was wrong with it. A bad answer is a result: only trouble on the way throws. */
export type JsonAnswer<T> =
  | { readonly kind: 'ok'; readonly value: T; readonly usage: TokenUsage }
  | {
      readonly kind: 'truncated' | 'malformed' | 'invalid' | 'refused' | 'empty';
      /** What is wrong, in a line that a prompt can include. */
      readonly detail: string;
      /** The answer, at most 2,000 characters of it. */
      readonly raw: string;
      /** What is whole of an answer that was cut off: the closed objects of its lists. */
      readonly part?: T;
      readonly usage: TokenUsage;
    };

/** The shape that an answer must have. */
export interface JsonShape<S extends z.ZodType> {
  /** Names the shape to the endpoint: letters, digits and underscores. */
  readonly name: string;
  /** What the answer is read by. */
  readonly schema: S;
  /** The schema that the model sees, where the reader accepts more. */
  readonly promptSchema?: z.ZodType;
}

/** A model that answers messages, on any endpoint. */
export interface ChatModel {
  /** Names the model in reports. */
  readonly model: string;
  /** Where it is, without user and query. */
  readonly address: string;
  /** @throws ContextloomError naming the setting to look at, when the endpoint cannot be used */
  complete(request: ChatRequest): Promise<ChatAnswer>;
  /** @throws ContextloomError as `complete` does; never for what the model answered */
  completeJson<S extends z.ZodType>(request: ChatRequest, shape: JsonShape<S>): Promise<JsonAnswer<z.output<S>>>;
}
