import { ContextloomError } from '@contextloom/contracts';
import type { ChatCompletionCreateParamsNonStreaming as Body } from 'openai/resources/chat/completions';
import type { z } from 'zod';
import type { ChatAnswer, ChatMessage, ChatModel, ChatRequest, JsonAnswer, JsonShape } from '../chat/chat-model.ts';
import { findJsonCandidates, findWholeParts, isCutOff, unwrapJson } from '../chat/json-text.ts';
import { toJsonOrder, toStrictJsonSchema, withoutNulls } from '../chat/strict-schema.ts';
import { type Capabilities, learn, type StructuredMode, toInitialCapabilities } from './capabilities.ts';
import { DEFAULT_TIMEOUT_MS, type EndpointOptions, openEndpoint, toRefusal } from './client.ts';
import { toChatAnswer } from './completion.ts';
import { isFiltered } from './errors.ts';
import { completeStreaming } from './streaming.ts';

/** How much of a bad answer is shown. */
const RAW_SHOWN = 2_000;

/** Reads a model's answer as a value of a shape, or says what is wrong with it, and what of it is whole. */
export function judgeAnswer<S extends z.ZodType>(
  { text: raw, finish, usage }: ChatAnswer,
  { schema }: JsonShape<S>,
): JsonAnswer<z.output<S>> {
  const bad = (kind: Exclude<JsonAnswer<unknown>['kind'], 'ok'>, detail: string, part?: unknown) => {
    const parsed = part === undefined ? undefined : schema.safeParse(withoutNulls(part));
    return { kind, detail, raw: raw.slice(0, RAW_SHOWN), usage, ...(parsed?.success && { part: parsed.data }) };
  };
  const text = unwrapJson(raw);
  // A filter may cut off an answer that has content already.
  if (finish === 'refused') return bad('refused', 'the model refused to answer', findWholeParts(text)?.value);
  if (text.trim() === '') {
    return finish === 'length'
      ? bad('truncated', 'the answer was cut off at the limit of tokens')
      : bad('empty', 'the answer was empty');
  }
  // An answer that is whole is one, also when the model went on after it up to the limit.
  const whole = isCutOff(text) ? [] : findJsonCandidates(text);
  const issues: z.core.$ZodIssue[] = [];
  for (const { value } of whole) {
    const parsed = schema.safeParse(withoutNulls(value));
    if (parsed.success) return { kind: 'ok', value: parsed.data, usage };
    issues.push(...parsed.error.issues);
  }
  const part = findWholeParts(text)?.value;
  if (finish === 'length') return bad('truncated', 'the answer was cut off at the limit of tokens', part);
  const [issue] = issues;
  if (issue === undefined) return bad('malformed', 'the answer holds no whole JSON object', part);
  return bad('invalid', `${issue.path.join('.') || 'the answer'}: ${issue.message}`);
}

/** A model on an OpenAI-compatible endpoint. */
export interface OpenAiChatOptions extends EndpointOptions {
  /** How JSON is requested; `auto` begins with a schema and steps down from what the endpoint refuses. */
  readonly structured?: StructuredMode | 'auto' | undefined;
}

type AnyShape = JsonShape<z.ZodType>;

function toFormat(mode: StructuredMode, shape: AnyShape | undefined): Pick<Body, 'response_format'> {
  if (shape === undefined || mode === 'text') return {};
  if (mode === 'json_object') return { response_format: { type: 'json_object' } };
  const json_schema = {
    name: shape.name,
    strict: true,
    schema: toStrictJsonSchema(shape.promptSchema ?? shape.schema),
  };
  return { response_format: { type: 'json_schema', json_schema } };
}

function toMessage({ role, content, images = [] }: ChatMessage): Body['messages'][number] {
  if (role !== 'user' || images.length === 0) return { role, content };
  const parts = images.map((url) => ({ type: 'image_url' as const, image_url: { url } }));
  return { role, content: [{ type: 'text', text: content }, ...parts] };
}

/** The prompt includes the schema where the endpoint takes none; JSON mode requires the word JSON. */
function toMessages({ messages }: ChatRequest, mode: StructuredMode, shape: AnyShape | undefined): Body['messages'] {
  const said = messages.map(toMessage);
  if (shape === undefined || mode === 'json_schema') return said;
  const order = toJsonOrder(shape);
  const [first, ...rest] = said;
  if (first?.role !== 'system') return [{ role: 'system', content: order }, ...said];
  return [{ role: 'system', content: `${first.content}\n\n${order}` }, ...rest];
}

function toBody(model: string, request: ChatRequest, capabilities: Capabilities, shape: AnyShape | undefined): Body {
  const { maxTokens, temperature } = request;
  return {
    model,
    messages: toMessages(request, capabilities.mode, shape),
    ...toFormat(capabilities.mode, shape),
    ...(maxTokens !== undefined && { [capabilities.limit]: Math.min(maxTokens, capabilities.maxTokens) }),
    ...(temperature !== undefined && capabilities.hasTemperature && { temperature }),
    ...(capabilities.isUnthinking && { enable_thinking: false }),
  };
}

/** What a filter answers instead of an answer: it is about these messages, not about the endpoint. */
const FILTERED: ChatAnswer = { text: '', finish: 'refused', usage: { input: 0, output: 0 } };

/** One lesson of each kind, twice down the modes, and two to spare. */
const MAX_LESSONS = 8;

/** Builds the model of an OpenAI-compatible endpoint. */
export function createOpenAiChatModel(options: OpenAiChatOptions): ChatModel {
  const { model, structured = 'auto', settings, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  const { address, call } = openEndpoint(options);
  const isModeFixed = structured !== 'auto';
  // Learnt once for all calls that follow.
  let capabilities = toInitialCapabilities(isModeFixed ? structured : 'json_schema');

  const send = async (request: ChatRequest, shape?: AnyShape): Promise<ChatAnswer> => {
    const { signal } = request;
    for (let lessons = 0; ; lessons += 1) {
      const sent = capabilities;
      try {
        const body = toBody(model, request, sent, shape);
        const answer = await call(async (client, options) => {
          try {
            if (request.onText !== undefined) {
              const stream = { client, body, options, onText: request.onText, timeoutMs, address };
              return toChatAnswer(await completeStreaming(stream), shape !== undefined);
            }
            return toChatAnswer(await client.chat.completions.create(body, options), shape !== undefined);
          } catch (error) {
            if (isFiltered(error)) return FILTERED;
            throw error;
          }
        }, signal);
        if (answer !== undefined) return answer;
        throw new ContextloomError('unavailable', `${address} does not answer chats: check ${settings.baseUrl}`);
      } catch (error) {
        const lesson = lessons < MAX_LESSONS ? learn(error, sent, isModeFixed, request.maxTokens) : undefined;
        if (lesson === undefined) throw toRefusal(error, address, settings);
        // Another call may have learnt the same already.
        if (capabilities === sent) capabilities = { ...capabilities, ...lesson };
      }
    }
  };
  return {
    model,
    address,
    complete: (request) => send(request),
    completeJson: async (request, shape) => judgeAnswer(await send(request, shape), shape),
  };
}
