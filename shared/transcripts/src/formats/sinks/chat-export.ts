import type { z } from 'zod';
import type { Out, Reader } from '../reader.ts';
import { createConversationSink, hasConversations } from './conversation-sink.ts';

/** Where the export of a program has what is said: the readers of chats with assistants differ in this table. */
export interface ChatExport<C, M> extends Pick<Reader, 'name' | 'title'> {
  readonly conversation: z.ZodType<C>;
  readonly head: (conversation: C) => {
    readonly id?: string | number | null | undefined;
    readonly title?: string | null | undefined;
  };
  /** All messages, or those that lead to the one where the conversation stands. */
  readonly messages: (conversation: C) => readonly unknown[];
  readonly message: z.ZodType<M>;
  /** What a conversation, and a message, lacks that is none. */
  readonly lacks: { readonly conversation: string; readonly message: string };
  /** Of messages that tell their branch themselves: those of the one that is shown, and the words of the others. */
  readonly branch?: {
    readonly choose: (messages: readonly M[], conversation: C) => readonly M[];
    readonly toWords: (message: M) => string;
  };
  readonly read: (message: M, at: string, out: Out) => void;
}

/** The way up from a leaf, the first thing first: answers that were made again are other branches. A circle ends where it closes. */
export function walkUp<T>(leaf: T | null | undefined, toParent: (one: T) => T | null | undefined): readonly T[] {
  const way = new Set<T>();
  for (let one = leaf; one != null && !way.has(one); one = toParent(one)) way.add(one);
  return [...way].reverse();
}

/** Hands on one conversation of an export. */
export function readChat<C, M>(form: ChatExport<C, M>, value: unknown, at: string, out: Out) {
  const conversation = form.conversation.safeParse(value);
  if (!conversation.success) return out.fault(at, form.lacks.conversation);
  const { id, title } = form.head(conversation.data);
  out.conversation({ ...(id != null && { id: `${form.name}-${id}`.slice(0, 200) }), title: title || undefined });
  const messages = form.messages(conversation.data).flatMap((one, index) => {
    const place = `${at}, message ${index + 1}`;
    const message = form.message.safeParse(one);
    if (message.success) return [{ message: message.data, place }];
    out.fault(place, form.lacks.message);
    return [];
  });
  const { branch } = form;
  const all = messages.map(({ message }) => message);
  const chosen = new Set(branch === undefined ? all : branch.choose(all, conversation.data));
  for (const { message, place } of messages) {
    if (branch === undefined || chosen.has(message)) form.read(message, place, out);
    else out.leftOut('message of another branch', place, branch.toWords(message));
  }
}

/** Builds the reader of an export: a list of conversations, a list under a key, one alone, or one a line. */
export function createChatReader<C, M>({
  isKnown,
  ...form
}: ChatExport<C, M> & {
  /** Whether a value is a conversation of this export, by its marks alone. */
  readonly isKnown: (value: unknown) => boolean;
}): Reader {
  const { name, title } = form;
  return {
    name,
    title,
    detect: (sample) => hasConversations(sample, isKnown),
    read: (out, { sample }) =>
      createConversationSink({ sample, isKnown, out }, (value, at) => readChat(form, value, at, out)),
  };
}
