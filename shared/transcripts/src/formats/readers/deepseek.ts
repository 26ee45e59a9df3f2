import { z } from 'zod';
import { fromIso } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createConversationSink, hasConversations } from '../sinks/conversation-sink.ts';

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
type Node = z.output<typeof nodeSchema>;

/** The messages that lead to the last one: answers that were made again are other branches. */
function toBranch(mapping: Readonly<Record<string, Node>>): readonly Node[] {
  const parents = new Set(Object.values(mapping).map(({ parent }) => parent));
  let id: string | null | undefined = Object.keys(mapping)
    .filter((key) => !parents.has(key))
    .at(-1);
  const branch = new Set<Node>();
  while (id != null) {
    const node: Node | undefined = mapping[id];
    if (node === undefined || branch.has(node)) break;
    branch.add(node);
    id = node.parent;
  }
  return [...branch].reverse();
}

const ROLES: Readonly<Record<string, 'user' | 'assistant'>> = { REQUEST: 'user', RESPONSE: 'assistant' };

function readConversation(value: unknown, at: string, out: Out) {
  const read = conversationSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it has no "mapping" of messages');
  const { id, title, mapping } = read.data;
  out.conversation({ ...(id != null && { id: `deepseek-${id}` }), title: title ?? undefined });
  for (const { message } of toBranch(mapping)) {
    for (const { type, content } of message?.fragments ?? []) {
      const role = ROLES[type];
      if (role === undefined) out.leftOut('call of a tool, or thought', at, content ?? '');
      else out.turn({ role, text: content ?? '', ...fromIso(message?.inserted_at) });
    }
  }
}

const isExported = (value: unknown): boolean =>
  isRecord(value) &&
  isRecord(value['mapping']) &&
  Object.values(value['mapping']).some(
    (node) => isRecord(node) && isRecord(node['message']) && Array.isArray(node['message']['fragments']),
  );

/** The conversations of DeepSeek's data export. */
export const deepseek: Reader = {
  name: 'deepseek',
  title: 'DeepSeek export',
  detect: (sample) => hasConversations(sample, isExported),
  read: (out, { sample }) =>
    createConversationSink({ sample, isKnown: isExported, out }, (value, at) => readConversation(value, at, out)),
};
