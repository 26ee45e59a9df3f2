import type { ChatCompletionCreateParamsNonStreaming as Body, ChatCompletion } from 'openai/resources/chat/completions';
import type { z } from 'zod';
import type { ChatAnswer, ChatModel, ChatRequest, JsonShape } from '../chat-model.ts';
import { judgeAnswer } from '../judge-answer.ts';
import { toStrictJsonSchema } from '../strict-schema.ts';
import { type EndpointOptions, openEndpoint, toRefusal } from './client.ts';
import { learn, type Manners, type StructuredMode, toFirstManners } from './manners.ts';

/** A model on an OpenAI-compatible endpoint. */
export interface OpenAiChatOptions extends EndpointOptions {
  /** How it is asked for JSON; `auto` begins with a schema and steps down from what the endpoint refuses. */
  readonly structured?: StructuredMode | 'auto' | undefined;
}

type AnyShape = JsonShape<z.ZodType>;

function toFormat(mode: StructuredMode, shape: AnyShape | undefined): Pick<Body, 'response_format'> {
  if (shape === undefined || mode === 'text') return {};
  if (mode === 'json_object') return { response_format: { type: 'json_object' } };
  const json_schema = { name: shape.name, strict: true, schema: toStrictJsonSchema(shape.asked ?? shape.schema) };
  return { response_format: { type: 'json_schema', json_schema } };
}

/** An endpoint that is not given the schema is told it; the word JSON is what JSON mode insists on. */
function toMessages({ messages }: ChatRequest, mode: StructuredMode, shape: AnyShape | undefined): Body['messages'] {
  const said = messages.map(({ role, content }) => ({ role, content }));
  if (shape === undefined || mode === 'json_schema') return said;
  const schema = JSON.stringify(toStrictJsonSchema(shape.asked ?? shape.schema));
  const order = `Answer with one JSON object and nothing else. It must match this JSON schema:\n${schema}`;
  const [first, ...rest] = said;
  if (first?.role !== 'system') return [{ role: 'system', content: order }, ...said];
  return [{ role: 'system', content: `${first.content}\n\n${order}` }, ...rest];
}

function toBody(model: string, request: ChatRequest, manners: Manners, shape: AnyShape | undefined): Body {
  const { maxTokens, temperature } = request;
  return {
    model,
    messages: toMessages(request, manners.mode, shape),
    ...toFormat(manners.mode, shape),
    ...(maxTokens !== undefined && { [manners.limit]: maxTokens }),
    ...(temperature !== undefined && manners.hasTemperature && { temperature }),
    ...(manners.isUnthinking && { enable_thinking: false }),
  };
}

function toAnswer({ choices: [choice], usage }: ChatCompletion): ChatAnswer {
  const refusal = choice?.message?.refusal ?? '';
  const isRefused = refusal !== '' || choice?.finish_reason === 'content_filter';
  const finish = isRefused ? 'refused' : choice?.finish_reason === 'length' ? 'length' : 'stop';
  const text = isRefused ? refusal : (choice?.message?.content ?? '');
  return { text, finish, usage: { input: usage?.prompt_tokens ?? 0, output: usage?.completion_tokens ?? 0 } };
}

/** One lesson of each kind, twice down the modes, and one to spare. */
const MAX_LESSONS = 6;

/** Builds the model of an OpenAI-compatible endpoint. */
export function createOpenAiChatModel(options: OpenAiChatOptions): ChatModel {
  const { model, structured = 'auto', settings } = options;
  const { address, call } = openEndpoint(options);
  const isModeFixed = structured !== 'auto';
  // Learnt once for all calls that follow.
  let manners = toFirstManners(isModeFixed ? structured : 'json_schema');

  const send = async (request: ChatRequest, shape?: AnyShape): Promise<ChatAnswer> => {
    const { signal } = request;
    for (let lessons = 0; ; lessons += 1) {
      const sent = manners;
      try {
        const body = toBody(model, request, sent, shape);
        return toAnswer(await call((client, options) => client.chat.completions.create(body, options), signal));
      } catch (error) {
        const lesson = lessons < MAX_LESSONS ? learn(error, sent, isModeFixed) : undefined;
        if (lesson === undefined) throw toRefusal(error, address, settings);
        // A call beside this one may have learnt the same already.
        if (manners === sent) manners = { ...manners, ...lesson };
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
