import { z } from 'zod';
import { fromIso } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import { createChatReader, walkUp } from '../sinks/chat-export.ts';

const nodeSchema = z.looseObject({
  parent: z.string().nullish(),
  message: z
    .looseObject({
      inserted_at: z.string().nullish(),
      fragments: z.array(z.looseObject({ type: z.string(), content: z.string().nullish() })).nullish(),
    })
    .nullish(),
});
const conversationSchema = z.looseObject({
  id: z.string().nullish(),
  title: z.string().nullish(),
  mapping: z.record(z.string(), nodeSchema),
});

type Mapping = z.output<typeof conversationSchema>['mapping'];

/** The messages that lead to the last one. */
function toBranch(mapping: Mapping): readonly unknown[] {
  const parents = new Set(Object.values(mapping).map(({ parent }) => parent));
  const leaf = Object.keys(mapping).findLast((key) => !parents.has(key));
  return walkUp(leaf, (id) => mapping[id]?.parent).flatMap((id) => mapping[id] ?? []);
}

const ROLES: Readonly<Record<string, 'user' | 'assistant'>> = { REQUEST: 'user', RESPONSE: 'assistant' };

/** The conversations of DeepSeek's data export. */
export const deepseek = createChatReader({
  name: 'deepseek',
  title: 'DeepSeek export',
  isKnown: (value) =>
    isRecord(value) &&
    isRecord(value['mapping']) &&
    Object.values(value['mapping']).some(
      (node) => isRecord(node) && isRecord(node['message']) && Array.isArray(node['message']['fragments']),
    ),
  conversation: conversationSchema,
  message: nodeSchema,
  lacks: { conversation: 'it has no "mapping" of messages', message: 'it is no message' },
  head: (conversation) => conversation,
  messages: ({ mapping }) => toBranch(mapping),
  read: ({ message }, at, out) => {
    for (const { type, content } of message?.fragments ?? []) {
      const role = ROLES[type];
      if (role === undefined) out.leftOut('call of a tool, or thought', at, content ?? '');
      else out.turn({ role, text: content ?? '', ...fromIso(message?.inserted_at) });
    }
  },
});
