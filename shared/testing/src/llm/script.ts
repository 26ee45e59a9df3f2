/** When an answer comes: at once by default. */
interface Delay {
  readonly delayMs?: number;
  /** Answers once this settles: a test that opens this gate decides what happens before the answer. */
  readonly until?: Promise<unknown>;
}

/** A call of a tool, as a model makes it. */
export interface ScriptedToolCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What the scripted endpoint does with one request. */
export type Step =
  /** Answers a chat with this text, cut off at the request's limit of tokens as a model is; `finish` as the API has it. */
  | (Delay & {
      readonly kind: 'answer';
      readonly text: string;
      readonly finish?: 'stop' | 'length' | 'content_filter';
      /** Breaks the connection after so many events of a stream. */
      readonly cutAfter?: number;
    })
  /** Answers a chat with calls of tools that the request offers. */
  | (Delay & { readonly kind: 'tool_calls'; readonly calls: readonly ScriptedToolCall[] })
  /** Answers a chat with a refusal of the model. */
  | { readonly kind: 'refusal'; readonly text: string }
  /** Answers an embeddings request with a vector for each text, made of the text's own words. */
  | (Delay & { readonly kind: 'embed' })
  /** Answers a rerank request with these scores, by document; by default with how near each is to the query. */
  | (Delay & { readonly kind: 'rerank'; readonly scores?: readonly number[] })
  /** Answers with an error of the API. */
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly code?: string;
      readonly param?: string;
      readonly message?: string;
      /** The header `Retry-After`: seconds, or a date. */
      readonly retryAfter?: string;
    }
  /** Answers with a status and a body of another shape than the API's. */
  | {
      readonly kind: 'body';
      readonly status: number;
      readonly body: string;
      /** Headers besides, or instead of, `content-type: application/json`. */
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** Sends the request elsewhere. */
  | { readonly kind: 'redirect'; readonly status: number; readonly location: string }
  /** Begins an answer and breaks the connection in the middle of its body. */
  | { readonly kind: 'half' }
  /** Answers with success and a body that is no answer. */
  | { readonly kind: 'rubbish'; readonly body: string }
  /** Takes the request and never answers. */
  | { readonly kind: 'hang' }
  /** Breaks the connection. */
  | { readonly kind: 'cut' };

/** One piece of a message. */
export type RecordedPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } };

/** A request body that the endpoint found valid; of a chat, of embeddings or of a reranking. */
export interface RecordedBody {
  readonly model: string;
  readonly messages?: readonly {
    readonly role: string;
    readonly content: string | readonly RecordedPart[] | null | undefined;
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly input?: string | readonly string[];
  readonly query?: string;
  readonly documents?: readonly string[];
  readonly top_n?: number;
  readonly stream?: boolean;
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly temperature?: number;
  readonly response_format?: { readonly type: string; readonly [key: string]: unknown };
  readonly dimensions?: number;
  readonly encoding_format?: string;
  readonly stream_options?: { readonly include_usage: boolean };
}

/** A request as the endpoint took it. */
export interface RecordedRequest {
  /** `/chat/completions`, `/embeddings` or `/rerank`. */
  readonly path: string;
  readonly body: RecordedBody;
}

/** What the endpoint does with each request: steps in order, the last one for all that follow, or a function of the request and its number from 0. */
export type Script = readonly Step[] | ((request: RecordedRequest, index: number) => Step);

/** What an endpoint does not know, as some do not. */
export interface Lacks {
  readonly jsonSchema?: boolean;
  readonly jsonObject?: boolean;
  readonly maxCompletionTokens?: boolean;
  readonly maxTokens?: boolean;
  readonly temperature?: boolean;
  /** Answering a plain call while it thinks: it wants `enable_thinking: false`, as Qwen's thinking models do. */
  readonly plainThinking?: boolean;
  /** The parameter `dimensions` of embeddings. */
  readonly dimensions?: boolean;
}
