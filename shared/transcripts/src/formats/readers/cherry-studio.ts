import { z } from 'zod';
import { readAssistantMessage } from '../assistant-message.ts';
import { asText, fromIso } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';

const topicSchema = z.looseObject({ id: z.string(), name: z.string().nullish(), messages: z.array(z.unknown()) });
const messageSchema = z.object({
  role: z.string(),
  content: z.string().nullish(),
  blocks: z.array(z.string()).nullish(),
  createdAt: z.string().nullish(),
  askId: z.string().nullish(),
  foldSelected: z.boolean().nullish(),
});
type Message = z.output<typeof messageSchema>;

/** Blocks that are words; thoughts, tools, files, errors and translations are blocks too. */
const WORDS: ReadonlySet<unknown> = new Set(['main_text', 'code']);

function parseText(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The names of topics, which the program keeps with its assistants, as JSON within JSON. */
function toTitles(stored: unknown): ReadonlyMap<string, string> {
  const state = parseText(stored);
  const assistants = isRecord(state) ? parseText(state['assistants']) : undefined;
  const lists: readonly unknown[] =
    isRecord(assistants) && Array.isArray(assistants['assistants']) ? assistants['assistants'] : [];
  const topics = lists.flatMap((one): readonly unknown[] =>
    isRecord(one) && Array.isArray(one['topics']) ? one['topics'] : [],
  );
  return new Map(
    topics.flatMap((topic) => {
      const [id, name] = isRecord(topic) ? [asText(topic['id']), asText(topic['name'])] : [];
      return id !== undefined && name ? [[id, name] as const] : [];
    }),
  );
}

/** Keeps topics and the words of their messages until the end: the two stand in tables of their own, the words below the topics. */
function createTopics(out: Out) {
  const topics: { readonly id: string; readonly name: string; readonly messages: readonly Message[] }[] = [];
  const words = new Map<string, string>();
  let titles: ReadonlyMap<string, string> = new Map();
  const addTopic = (value: unknown, at: string) => {
    const read = topicSchema.safeParse(value);
    if (!read.success) return out.fault(at, 'it has no "messages"');
    const messages = read.data.messages.flatMap((one, index) => {
      const message = messageSchema.safeParse(one);
      if (!message.success) out.fault(`${at}, message ${index + 1}`, 'it has no "role"');
      return message.success ? [message.data] : [];
    });
    topics.push({ id: read.data.id, name: read.data.name ?? '', messages });
  };
  const addBlock = (value: unknown) => {
    if (!isRecord(value) || !WORDS.has(value['type'])) return;
    const [id, content] = [asText(value['id']), asText(value['content'])];
    if (id !== undefined && content) words.set(id, content);
  };
  const addTitles = (stored: unknown) => {
    titles = toTitles(stored);
  };
  const toText = ({ blocks, content }: Message): string =>
    (blocks ?? []).flatMap((id) => words.get(id) ?? []).join('\n') || (content ?? '');
  const flush = () => {
    for (const { id, name, messages } of topics) {
      out.conversation({ id: `cherry-studio-${id}`.slice(0, 200), title: titles.get(id) || name || undefined });
      const chosen = new Set(messages.flatMap(({ askId, foldSelected }) => (foldSelected && askId ? [askId] : [])));
      for (const [index, message] of messages.entries()) {
        const at = `${titles.get(id) || name || id}, message ${index + 1}`;
        const { role, createdAt, askId, foldSelected } = message;
        const isOther = role === 'assistant' && foldSelected !== true && askId != null && chosen.has(askId);
        if (isOther) out.leftOut('answer that was not chosen', at, toText(message));
        else readAssistantMessage({ role, text: toText(message), ...fromIso(createdAt) }, at, out);
      }
    }
  };
  return { addTopic, addBlock, addTitles, flush };
}

/** The backup of Cherry Studio: `data.json` in its archive. */
export const cherryStudio: Reader = {
  name: 'cherry-studio',
  title: 'Cherry Studio backup',
  detect: ({ json }) =>
    isRecord(json) &&
    ['time', 'version'].every((key) => typeof json[key] === 'number') &&
    (isRecord(json['localStorage']) || isRecord(json['indexedDB'])),
  read: (out) => {
    const { addTopic, addBlock, addTitles, flush } = createTopics(out);
    const store = '$.localStorage.persist:cherry-studio';
    const paths = ['$.indexedDB.topics.*', '$.indexedDB.message_blocks.*', store];
    return createJsonSink(
      paths,
      ({ value, path }) => {
        if (path[1] === 'topics') addTopic(value, `conversation ${Number(path[2]) + 1}`);
        else if (path[1] === 'message_blocks') addBlock(value);
        else addTitles(value);
      },
      flush,
    );
  },
};
