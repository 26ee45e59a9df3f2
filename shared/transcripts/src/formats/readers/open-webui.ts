import { z } from 'zod';
import { asText, fromInstantText, toPartsText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import { createChatReader, walkUp } from '../sinks/chat-export.ts';

const messageSchema = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
  parentId: z.string().nullish(),
  timestamp: z.union([z.number(), z.string()]).nullish(),
  content_list: z.array(z.looseObject({ content: z.string().nullish(), phase: z.string().nullish() })).nullish(),
});
const conversationSchema = z.looseObject({
  id: z.string().nullish(),
  title: z.string().nullish(),
  chat: z.looseObject({
    title: z.string().nullish(),
    messages: z.array(z.unknown()).nullish(),
    history: z
      .looseObject({ messages: z.record(z.string(), z.unknown()).nullish(), currentId: z.string().nullish() })
      .nullish(),
  }),
});

/** The messages that lead to the one where the conversation stands: answers of other models and other tries are other branches. */
function toBranch({ history, messages }: z.output<typeof conversationSchema>['chat']): readonly unknown[] {
  const all = history?.messages ?? {};
  const branch = walkUp(history?.currentId, (id) => {
    const message = Object.hasOwn(all, id) ? all[id] : undefined;
    return isRecord(message) ? asText(message['parentId']) : undefined;
  }).flatMap((id) => (Object.hasOwn(all, id) ? [all[id]] : []));
  return branch.length > 0 ? branch : (messages ?? []);
}

/** Reasoning and calls of tools are folded into the words. */
const FOLDED = /<details type="(?:reasoning|tool_calls|code_interpreter)"[^<>]*>(?:(?!<\/?details).)*<\/details>/gsu;

/** The words of an answer of Qwen's page, which has them in phases: what it thinks, what it looks up, the answer. */
function toAnswer(list: z.output<typeof messageSchema>['content_list']): string {
  const answers = (list ?? []).filter(({ phase }) => phase == null || phase === 'answer');
  return answers.map(({ content }) => content ?? '').join('');
}

const toWords = (role: 'user' | 'assistant', text: string): string =>
  role === 'assistant' ? text.replace(FOLDED, '').trim() : text;

/** What Open WebUI exports of its chats, and Qwen's page, which is built on it. */
export const openWebui = createChatReader({
  name: 'open-webui',
  title: 'Open WebUI export',
  isKnown: (value) =>
    isRecord(value) &&
    isRecord(value['chat']) &&
    (isRecord(value['chat']['history']) || Array.isArray(value['chat']['messages'])),
  conversation: conversationSchema,
  message: messageSchema,
  lacks: { conversation: 'it has no "chat"', message: 'it has no "role"' },
  head: ({ id, title, chat }) => ({ id, title: title || chat.title }),
  messages: ({ chat }) => toBranch(chat),
  read: ({ role, content, content_list: list, timestamp }, at, out) => {
    const words = toPartsText(content ?? '');
    if (role !== 'user' && role !== 'assistant') out.leftOut('message of the system or of a tool', at, words);
    else out.turn({ role, text: toWords(role, words || toAnswer(list)), ...fromInstantText(timestamp) });
  },
});
