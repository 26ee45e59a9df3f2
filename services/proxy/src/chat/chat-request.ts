import { z } from 'zod';
import type { ChatKind } from './chat-kind.ts';

/** One thing that was said. */
export interface Said {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** What a request says that memory has to know. */
export interface ChatRequest {
  /** The id of the end user, where the request names one. */
  readonly user: string | undefined;
  readonly model: string | undefined;
  /** What was said, in order, without tools and system messages. */
  readonly said: readonly Said[];
  /** Which of the messages is the newest of the user; undefined where there is none, such as where only results of tools are sent. */
  readonly newest: number | undefined;
}

const partSchema = z.looseObject({ type: z.string().optional(), text: z.string().optional() });
const contentSchema = z.union([z.string(), z.array(partSchema)]).nullish();
const messageSchema = z.looseObject({ role: z.string().optional(), content: contentSchema });
type Message = z.output<typeof messageSchema>;

const model = z.string().nullish().catch(undefined);
const chatSchema = z.looseObject({ user: z.string().nullish(), model, messages: z.array(messageSchema).min(1) });
const responsesSchema = z
  .looseObject({ user: z.string().nullish(), model, input: z.union([z.string(), z.array(messageSchema)]) })
  .transform(({ input, ...rest }) => ({
    ...rest,
    messages: typeof input === 'string' ? [{ role: 'user', content: input }] : input,
  }));
const messagesSchema = z
  .looseObject({
    metadata: z.looseObject({ user_id: z.string().nullish() }).nullish(),
    model,
    messages: z.array(messageSchema).min(1),
  })
  .transform(({ metadata, ...rest }) => ({ ...rest, user: toEndUser(metadata?.user_id) }));

const schemas = { chat: chatSchema, responses: responsesSchema, messages: messagesSchema };

const TEXT_TYPES = new Set(['text', 'input_text', 'output_text', undefined]);
const isText = ({ type, text }: z.output<typeof partSchema>): boolean => TEXT_TYPES.has(type) && text !== undefined;

/**
 * The end user that a request of Anthropic's names. Some programs name their session there, by which nobody is known again: that is the
 * program's own, and no user.
 */
function toEndUser(id: string | null | undefined): string | undefined {
  return id === null || id === undefined || /session/iu.test(id) ? undefined : id;
}

/** What coding agents write into the messages of their user is marked as theirs, part by part. */
function isOfProgram(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.startsWith('<system-reminder>') && trimmed.endsWith('</system-reminder>');
}

/** The words of a message. */
function toWords(content: Message['content']): string {
  const texts = typeof content === 'string' ? [content] : (content ?? []).filter(isText).map(({ text = '' }) => text);
  return texts.filter((text) => !isOfProgram(text)).join('\n');
}

/** Whether a message is of the user: words, or a picture without any, and not a mere result of a tool, which Anthropic's API sends so too. */
function isOfUser({ role, content }: Message): boolean {
  if (role !== 'user') return false;
  if (toWords(content).trim() !== '') return true;
  const parts = typeof content === 'string' ? [] : (content ?? []);
  return parts.some((part) => !isText(part)) && !parts.some(({ type }) => type === 'tool_result');
}

function toSaid(messages: readonly Message[]): readonly Said[] {
  return messages.flatMap(({ role, content }) => {
    const text = toWords(content);
    return (role === 'user' || role === 'assistant') && text.trim() !== '' ? [{ role, content: text }] : [];
  });
}

/** Reads the text of a request; undefined for one that is not of its kind, which is the provider's to refuse. */
export function readChatRequest(kind: ChatKind, text: string): ChatRequest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined; // Not JSON: the provider says so.
  }
  const parsed = schemas[kind].safeParse(value);
  if (!parsed.success) return undefined;
  const { user, model: named, messages } = parsed.data;
  const newest = messages.findLastIndex(isOfUser);
  return {
    user: user ?? undefined,
    model: named ?? undefined,
    said: toSaid(messages),
    newest: newest < 0 ? undefined : newest,
  };
}
