import { z } from 'zod';
import type { ChatKind } from './system-prompt.ts';

/** One thing that was said. */
export interface Said {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** What a request says that memory has to know. */
export interface ChatRequest {
  /** The id of the end user, where the request names one. */
  readonly user: string | undefined;
  /** What was said, in order, without tools and system messages. */
  readonly said: readonly Said[];
  readonly isStream: boolean;
}

const partSchema = z.looseObject({ type: z.string().optional(), text: z.string().optional() });
const contentSchema = z.union([z.string(), z.array(partSchema)]).nullish();
const messageSchema = z.looseObject({ role: z.string().optional(), content: contentSchema });
const chatSchema = z.looseObject({
  user: z.string().nullish(),
  stream: z.boolean().nullish(),
  messages: z.array(messageSchema).min(1),
});
const responsesSchema = z.looseObject({
  user: z.string().nullish(),
  stream: z.boolean().nullish(),
  input: z.union([z.string(), z.array(messageSchema)]),
});

const TEXT_TYPES = new Set(['text', 'input_text', 'output_text', undefined]);

function toText(content: z.output<typeof contentSchema>): string {
  if (typeof content === 'string') return content;
  return (content ?? [])
    .flatMap(({ type, text }) => (TEXT_TYPES.has(type) && text !== undefined ? [text] : []))
    .join('\n');
}

function toSaid(messages: readonly z.output<typeof messageSchema>[]): readonly Said[] {
  return messages.flatMap(({ role, content }) => {
    const text = toText(content);
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
  const shape = kind === 'chat' ? chatSchema : responsesSchema;
  const parsed = shape.safeParse(value);
  if (!parsed.success) return undefined;
  const { user, stream } = parsed.data;
  const input = 'messages' in parsed.data ? parsed.data.messages : parsed.data['input'];
  const messages =
    typeof input === 'string'
      ? [{ role: 'user', content: input }]
      : (input as readonly z.output<typeof messageSchema>[]);
  return { user: user ?? undefined, said: toSaid(messages), isStream: stream === true };
}
