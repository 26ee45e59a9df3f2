import OpenAI from 'openai';
import { z } from 'zod';
import type { ChatAnswer } from '../chat/chat-model.ts';
import { readEvents } from './streaming.ts';

const loose = z.unknown();
const reasonSchema = z.string().nullish().catch(undefined);
const calledSchema = z.object({ arguments: loose }).nullish().catch(undefined);

const messageSchema = z
  .object({
    content: loose,
    refusal: loose,
    reasoning_content: loose,
    reasoning: loose,
    tool_calls: z
      .array(z.object({ function: calledSchema }).catch({ function: undefined }))
      .nullish()
      .catch(undefined),
    function_call: calledSchema,
  })
  .partial();
/** The text of older endpoints is the choice's own. */
const choiceSchema = z.object({
  finish_reason: reasonSchema,
  message: messageSchema.nullish().catch(undefined),
  text: loose.optional(),
});

/** A completion as far as it is read; endpoints differ in the rest, and some in this. */
const completionSchema = z.object({
  choices: z.array(choiceSchema),
  usage: z
    .object({ prompt_tokens: z.number().catch(0), completion_tokens: z.number().catch(0) })
    .nullish()
    .catch(undefined),
});
/** What some endpoints and gateways put a completion into (DashScope `output`), or answer instead of it (Ollama `message`). */
const wrapperSchema = z.union([
  z.object({ data: completionSchema }).transform(({ data }) => data),
  z.object({ output: completionSchema }).transform(({ output }) => output),
  z.object({ result: completionSchema }).transform(({ result }) => result),
  z
    .object({ message: messageSchema.required({ content: true }), done_reason: reasonSchema })
    .transform(({ message, done_reason }) => ({
      choices: [{ message, finish_reason: done_reason, text: undefined }],
      usage: undefined,
    })),
]);
const failureSchema = z.object({ error: z.union([z.string(), z.looseObject({ code: loose })]) });
const textPartSchema = z.object({ text: z.string() });

type Message = z.output<typeof messageSchema>;
type Choice = z.output<typeof choiceSchema>;

/** How endpoints say that a filter or the model itself refused. */
const REFUSED = /^(?:content[_-]?filter(?:ed)?|refusal|safety|sensitive|prohibited_content|blocklist|recitation)$/iu;
const CUT = /^(?:length|max_tokens|model_length)$/iu;

/** The text of an answer; some endpoints answer in parts, with the reasoning in parts of its own. */
function toText(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  return parts
    .map((part) => (typeof part === 'string' ? part : (textPartSchema.safeParse(part).data?.text ?? '')))
    .join('');
}

const toJsonText = (value: unknown): string =>
  typeof value === 'string' ? value : isShallow(value) ? JSON.stringify(value) : '';

/** Deeper values are no answer to anything, and what writes them level by level would run out of stack. */
const MAX_DEPTH = 64;
const isShallow = (value: unknown, depth = MAX_DEPTH): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every((inner) => isShallow(inner, depth - 1)));

const isValuePart = (part: unknown): boolean =>
  typeof part === 'object' && part !== null && !Array.isArray(part) && !('type' in part);

/** JSON in the place of text: the value itself, not its text in parts. */
function toValueText(content: unknown): string {
  const isValue = Array.isArray(content) ? content.some(isValuePart) : isValuePart(content);
  return isValue && isShallow(content) ? JSON.stringify(content) : '';
}

/** What was requested as JSON: the text, else the arguments of a tool, a value in place of text, else the reasoning. */
function toJsonAnswer({ content, tool_calls: calls, function_call: call, ...rest }: Message): string {
  const called = [...(calls ?? []).map((one) => one.function), call].flatMap((one) => one?.arguments ?? []);
  const candidates = [
    () => toText(content),
    () => called.map(toJsonText).join('\n'),
    () => toValueText(content),
    () => toText(rest.reasoning_content),
    () => toText(rest.reasoning),
  ];
  for (const candidate of candidates) {
    const text = candidate();
    if (text.trim() !== '') return text;
  }
  return '';
}

/** The text of one choice, and how it ended. */
function readChoice({ message, text: own, finish_reason: reason }: Choice, isJson: boolean): Omit<ChatAnswer, 'usage'> {
  const { refusal, ...said }: Message = message ?? { content: own };
  const isRefused = refusal === true || (typeof refusal === 'string' && refusal !== '') || REFUSED.test(reason ?? '');
  const text = isJson ? toJsonAnswer(said) : toText(said.content);
  return {
    text: isRefused && text === '' ? toText(refusal) : text,
    finish: isRefused ? 'refused' : CUT.test(reason ?? '') ? 'length' : 'stop',
  };
}

/** Reads a failure that comes with success, as routers have it. */
function toFailure(completion: unknown) {
  const error = failureSchema.safeParse(completion).data?.error;
  if (error === undefined) return undefined;
  const code = Number(typeof error === 'string' ? 502 : error.code);
  const body = { error: typeof error === 'string' ? { message: error } : error };
  return OpenAI.APIError.generate(code >= 400 && code < 600 ? code : 502, body, undefined, new Headers());
}

/**
 * Reads a completion; undefined for anything else. Of several choices the first one counts that says something.
 * @param isJson whether JSON was requested, which some models answer elsewhere than in the text
 * @throws APIError for the error of another service that comes with success, as routers have it
 * @throws SyntaxError for text that is no completion, such as a page
 */
export function toChatAnswer(given: unknown, isJson: boolean): ChatAnswer | undefined {
  const completion = typeof given === 'string' ? readEvents(given) : given;
  if (completion === undefined && typeof given === 'string') throw new SyntaxError('the answer is no JSON');
  const data = completionSchema.safeParse(completion).data ?? wrapperSchema.safeParse(completion).data;
  if (data === undefined) {
    const failure = toFailure(completion);
    if (failure === undefined) return undefined;
    throw failure;
  }
  const answers = data.choices.map((choice) => readChoice(choice, isJson));
  const said = answers.find(({ text }) => text.trim() !== '') ?? answers[0] ?? { text: '', finish: 'stop' };
  return { ...said, usage: { input: data.usage?.prompt_tokens ?? 0, output: data.usage?.completion_tokens ?? 0 } };
}
