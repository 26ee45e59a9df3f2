import { ContextloomError } from '@contextloom/contracts';
import OpenAI from 'openai';
import type { ChatCompletionCreateParamsNonStreaming as Body } from 'openai/resources/chat/completions';
import { z } from 'zod';

/** One call whose answer is read as it is written. */
export interface StreamingCall {
  readonly client: OpenAI;
  readonly body: Body;
  readonly options: { readonly signal?: AbortSignal };
  readonly onText: (piece: string) => void;
  /** How long the whole answer may take, in milliseconds: the library's own limit ends with the first byte. */
  readonly timeoutMs: number;
  /** Names the endpoint in errors. */
  readonly address: string;
}

/** A piece of an answer as far as it is read; endpoints differ in the rest. */
const chunkSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({ content: z.string().nullish().catch(undefined), refusal: z.string().nullish().catch(undefined) })
          .nullish()
          .catch(undefined),
        finish_reason: z.string().nullish().catch(undefined),
      }),
    )
    .catch([]),
});

interface Read {
  content: string;
  refusal: string;
  finish: string | undefined;
}

function take(read: Read, chunk: unknown, onText: (piece: string) => void): void {
  const choice = chunkSchema.safeParse(chunk).data?.choices[0];
  const piece = choice?.delta?.content ?? '';
  read.content += piece;
  read.refusal += choice?.delta?.refusal ?? '';
  read.finish = choice?.finish_reason ?? read.finish;
  if (piece !== '') onText(piece);
}

function toCompletion({ content, refusal, finish }: Read): object {
  return { choices: [{ finish_reason: finish, message: { content, refusal: refusal === '' ? null : refusal } }] };
}

function parseEvent(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The completion that the events of a stream make up, for endpoints that stream unasked; undefined for other text. */
export function readEvents(text: string): object | undefined {
  const events = [...text.matchAll(/^data:(.*)$/gmu)].map(([, data = '']) => parseEvent(data));
  if (!events.some((event) => typeof event === 'object')) return undefined;
  const read: Read = { content: '', refusal: '', finish: undefined };
  for (const event of events) take(read, event, () => undefined);
  // A stream that ends without saying so was cut off.
  return toCompletion({ ...read, finish: read.finish ?? 'length' });
}

/** Whether an endpoint answers as if no stream had been asked for. */
const isWhole = (response: Response): boolean =>
  /^application\/json\b/iu.test(response.headers.get('content-type') ?? '');

const wholeSchema = z.object({ choices: z.array(z.object({ message: z.object({ content: z.string() }) })) });

/** @throws SyntaxError for text that is no JSON */
async function readWhole(response: Response, onText: (piece: string) => void): Promise<unknown> {
  const completion: unknown = JSON.parse(await response.text());
  const text = wholeSchema.safeParse(completion).data?.choices[0]?.message.content ?? '';
  if (text !== '') onText(text);
  return completion;
}

/**
 * Asks for an answer as a stream, tells of each piece, and puts it together as the completion that the endpoint would have
 * answered otherwise. An endpoint that does not stream answers with that completion itself.
 * @throws ContextloomError `unavailable` when it breaks off after its first piece: a retry would send that piece twice
 */
export async function completeStreaming(call: StreamingCall): Promise<unknown> {
  const { client, body, options, onText, timeoutMs, address } = call;
  const late = AbortSignal.timeout(timeoutMs);
  const signal = options.signal === undefined ? late : AbortSignal.any([options.signal, late]);
  const read: Read = { content: '', refusal: '', finish: undefined };
  const requireInTime = (): void => {
    // The library ends an aborted stream as if it were complete.
    if (options.signal?.aborted === true) throw new OpenAI.APIUserAbortError();
    if (late.aborted) throw new OpenAI.APIConnectionTimeoutError();
  };
  try {
    const started = client.chat.completions.create({ ...body, stream: true }, { signal });
    const { data: stream, response } = await started.withResponse();
    if (isWhole(response)) return await readWhole(response, onText);
    for await (const chunk of stream) take(read, chunk, onText);
    requireInTime();
    if (read.finish === undefined) throw new OpenAI.APIConnectionError({ message: 'the stream ended early' });
  } catch (cause) {
    requireInTime();
    if (read.content === '') throw cause;
    throw new ContextloomError('unavailable', `${address} broke off in the middle of an answer`, { cause });
  }
  return toCompletion(read);
}
