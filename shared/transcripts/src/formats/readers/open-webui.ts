import { z } from 'zod';
import { fromInstantText, toPartsText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createConversationSink, hasConversations } from '../sinks/conversation-sink.ts';

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
  const branch: unknown[] = [];
  const seen = new Set<string>();
  let id = history?.currentId;
  while (id != null && !seen.has(id) && Object.hasOwn(all, id)) {
    seen.add(id);
    const message: unknown = all[id];
    branch.push(message);
    const parent: unknown = isRecord(message) ? message['parentId'] : undefined;
    id = typeof parent === 'string' ? parent : undefined;
  }
  return branch.length > 0 ? branch.reverse() : (messages ?? []);
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

function readConversation(value: unknown, at: string, out: Out) {
  const read = conversationSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it has no "chat"');
  const { id, title, chat } = read.data;
  out.conversation({ ...(id != null && { id: `open-webui-${id}` }), title: title || chat.title || undefined });
  for (const [index, one] of toBranch(chat).entries()) {
    const message = messageSchema.safeParse(one);
    if (!message.success) {
      out.fault(`${at}, message ${index + 1}`, 'it has no "role"');
      continue;
    }
    const { role, content, timestamp } = message.data;
    if (role !== 'user' && role !== 'assistant')
      out.leftOut('message of the system or of a tool', `${at}, message ${index + 1}`, toPartsText(content ?? ''));
    else
      out.turn({
        role,
        text: toWords(role, toPartsText(content ?? '') || toAnswer(message.data.content_list)),
        ...fromInstantText(timestamp),
      });
  }
}

const isExported = (value: unknown): boolean =>
  isRecord(value) &&
  isRecord(value['chat']) &&
  (isRecord(value['chat']['history']) || Array.isArray(value['chat']['messages']));

/** What Open WebUI exports of its chats, and Qwen's page, which is built on it. */
export const openWebui: Reader = {
  name: 'open-webui',
  title: 'Open WebUI export',
  detect: (sample) => hasConversations(sample, isExported),
  read: (out, { sample }) =>
    createConversationSink({ sample, isKnown: isExported, out }, (value, at) => readConversation(value, at, out)),
};
