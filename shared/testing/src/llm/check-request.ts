import { countTokens } from '@contextloom/llm';
import { z } from 'zod';
import { messagesSchema, toolFields } from './chat-messages.ts';
import type { Lacks } from './script.ts';

/** An error in the API's own shape. */
export interface ApiError {
  readonly status: number;
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string | null;
  };
}

const schemaFormat = z.strictObject({
  name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
  strict: z.boolean().optional(),
  schema: z.record(z.string(), z.unknown()),
  description: z.string().optional(),
});

/** A request for a chat completion, as far as the product has use for it; an unknown argument is refused. */
const chatSchema = z.strictObject({
  model: z.string().min(1),
  messages: messagesSchema,
  ...toolFields,
  max_tokens: z.int().positive().optional(),
  max_completion_tokens: z.int().positive().optional(),
  temperature: z.number().min(0).max(2).optional(),
  enable_thinking: z.boolean().optional(),
  top_p: z.number().min(0).max(1).optional(),
  n: z.literal(1).optional(),
  stream: z.boolean().optional(),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  response_format: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('text') }),
      z.strictObject({ type: z.literal('json_object') }),
      z.strictObject({ type: z.literal('json_schema'), json_schema: schemaFormat }),
    ])
    .optional(),
});

const embeddingsSchema = z.strictObject({
  model: z.string().min(1),
  input: z.union([z.string().min(1), z.array(z.string().min(1)).min(1).max(2_048)]),
  encoding_format: z.enum(['float', 'base64']).optional(),
  dimensions: z.int().positive().optional(),
  user: z.string().optional(),
});

/** As Cohere and Jina take it; most documents of a request as Cohere advises. */
const rerankSchema = z.strictObject({
  model: z.string().min(1),
  query: z.string().min(1),
  documents: z.array(z.string().min(1)).min(1).max(1_000),
  top_n: z.int().positive().optional(),
});

/** Most tokens of one text to embed, as the API has it. */
const MAX_INPUT_TOKENS = 8_192;

/** An error of the API about the request. */
export function toApiError(status: number, message: string, param?: string, code?: string): ApiError {
  return { status, error: { message, type: 'invalid_request_error', param: param ?? null, code: code ?? null } };
}

const refuse = (message: string, param?: string, code?: string): ApiError => toApiError(400, message, param, code);

function toShapeError({ issues: [issue] }: z.ZodError): ApiError {
  if (issue?.code === 'unrecognized_keys') {
    const name = issue.keys[0] ?? '';
    return refuse(`Unrecognized request argument supplied: ${name}`, [...issue.path, name].join('.'));
  }
  const param = issue?.path.join('.') ?? '';
  return refuse(`Invalid value for '${param}': ${issue?.message ?? ''}`, param);
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a strict schema gets wrong, as the API says it: every property required, and no others. */
function findLoose(schema: unknown, path: string): string | undefined {
  const inner = (entries: readonly (readonly [string, unknown])[]): string | undefined =>
    entries.map(([key, value]) => findLoose(value, `${path}.${key}`)).find((found) => found !== undefined);
  if (Array.isArray(schema)) return inner(schema.map((value, at) => [String(at), value]));
  if (!isObject(schema)) return undefined;
  const { properties, required, additionalProperties } = schema;
  if (!isObject(properties)) return inner(Object.entries(schema));
  if (additionalProperties !== false)
    return `${path}, 'additionalProperties' is required to be supplied and to be false`;
  const missing = Object.keys(properties).find((name) => !(Array.isArray(required) && required.includes(name)));
  if (missing === undefined) return inner(Object.entries(schema));
  return `${path}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'`;
}

type ChatBody = z.output<typeof chatSchema>;

function checkParameters(body: ChatBody, lacks: Lacks): ApiError | undefined {
  if (lacks.temperature === true && body.temperature !== undefined) {
    const message = "Unsupported value: 'temperature' does not support this value with this model.";
    return refuse(message, 'temperature', 'unsupported_value');
  }
  if (lacks.plainThinking === true && body.enable_thinking !== false) {
    return refuse(
      'parameter.enable_thinking must be set to false for non-streaming calls',
      undefined,
      'invalid_parameter_error',
    );
  }
  if (lacks.plainThinking !== true && body.enable_thinking !== undefined) {
    return refuse('Unrecognized request argument supplied: enable_thinking', 'enable_thinking');
  }
  if (lacks.maxTokens === true && body.max_tokens !== undefined) {
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    return refuse(message, 'max_tokens', 'unsupported_parameter');
  }
  if (lacks.maxCompletionTokens === true && body.max_completion_tokens !== undefined) {
    return refuse('Unrecognized request argument supplied: max_completion_tokens', 'max_completion_tokens');
  }
  if (body.stream_options !== undefined && body.stream !== true) {
    return refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.", 'stream_options');
  }
  return undefined;
}

function checkFormat({ response_format: format, messages }: ChatBody, lacks: Lacks): ApiError | undefined {
  if (format?.type === 'json_schema') {
    if (lacks.jsonSchema === true) return refuse('This response_format type is unavailable now', 'response_format');
    const { name, strict, schema } = format.json_schema;
    const loose = strict === true ? findLoose(schema, 'schema') : undefined;
    const problem = `Invalid schema for response_format '${name}': In context=${loose}.`;
    return loose === undefined ? undefined : refuse(problem, 'response_format');
  }
  if (format?.type === 'json_object') {
    if (lacks.jsonObject === true) return refuse("'response_format.type' must be 'text'", 'response_format');
    if (messages.some((message) => /json/i.test(JSON.stringify(message.content)))) return undefined;
    const message =
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.";
    return refuse(message, 'messages');
  }
  return undefined;
}

/** What the API would say of a request for a chat completion; undefined when it would take it. */
export function checkChatRequest(body: unknown, lacks: Lacks): ApiError | undefined {
  const parsed = chatSchema.safeParse(body);
  if (!parsed.success) return toShapeError(parsed.error);
  return checkParameters(parsed.data, lacks) ?? checkFormat(parsed.data, lacks);
}

/** What the API would say of a request for embeddings; undefined when it would take it. */
export function checkEmbeddingsRequest(
  body: unknown,
  lacks: Lacks,
  maxBatch: number,
  dimensions: number,
): ApiError | undefined {
  const parsed = embeddingsSchema.safeParse(body);
  if (!parsed.success) return toShapeError(parsed.error);
  const texts = [parsed.data.input].flat();
  if (texts.length > maxBatch) {
    return refuse(`batch size is invalid, it should not be larger than ${maxBatch}.: input.contents`, 'input');
  }
  if (texts.some((text) => countTokens(text) > MAX_INPUT_TOKENS)) {
    return refuse(`This model's maximum context length is ${MAX_INPUT_TOKENS} tokens`, 'input');
  }
  if (parsed.data.dimensions === undefined) return undefined;
  if (lacks.dimensions === true) return refuse('This model does not support specifying dimensions.', 'dimensions');
  return parsed.data.dimensions > dimensions
    ? refuse(`'dimensions' must be at most ${dimensions}`, 'dimensions')
    : undefined;
}

/** What the API would say of a request for a reranking; undefined when it would take it. */
export function checkRerankRequest(body: unknown): ApiError | undefined {
  const parsed = rerankSchema.safeParse(body);
  return parsed.success ? undefined : toShapeError(parsed.error);
}
