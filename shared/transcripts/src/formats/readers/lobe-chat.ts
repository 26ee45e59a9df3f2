import { z } from 'zod';
import { type AssistantMessage, readAssistantMessage } from '../assistant-message.ts';
import { asText, fromInstantText, toPartsText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonSink, type FoundValue } from '../sinks/json-sink.ts';

const name = z.string().nullish();
const messageSchema = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
  createdAt: z.union([z.string(), z.number()]).nullish(),
  topicId: name,
  threadId: name,
  sessionId: name,
  error: z.unknown().optional(),
});

/** What stands in the place of an answer that has not come. */
const WAITING = '...';

/**
 * Keeps the messages of the tables until the end: they stand there by id and not by conversation, and the titles below them.
 * Their words alone are kept.
 */
function createChats(out: Out) {
  const chats = new Map<string, { readonly titled: string; readonly messages: AssistantMessage[] }>();
  const titles = new Map<string, string>();
  const addMessage = (value: unknown, at: string) => {
    const read = messageSchema.safeParse(value);
    if (!read.success) return out.fault(at, 'it has no "role"');
    const { role, content, createdAt, topicId, threadId, sessionId, error } = read.data;
    const text = toPartsText(content ?? '');
    if (error != null && (text === WAITING || text === '')) return out.leftOut('error of the program', at, text);
    const titled = topicId ?? sessionId ?? 'inbox';
    const id = threadId ?? titled;
    const chat = chats.get(id) ?? { titled, messages: [] };
    chats.set(id, chat);
    chat.messages.push({ role, text, ...fromInstantText(createdAt) });
  };
  const addTitle = (value: unknown) => {
    if (!isRecord(value)) return;
    const [id, meta] = [asText(value['id']), value['meta']];
    const title = asText(value['title']) || (isRecord(meta) ? asText(meta['title']) : undefined);
    if (id !== undefined && title) titles.set(id, title);
  };
  const flush = () => {
    for (const [id, { titled, messages }] of chats) {
      out.conversation({ id: `lobe-chat-${id}`.slice(0, 200), title: titles.get(titled) });
      // The tables are in no order of their own.
      const inOrder = messages.toSorted((one, other) => (one.at ?? '').localeCompare(other.at ?? ''));
      for (const [index, message] of inOrder.entries())
        readAssistantMessage(message, `${titles.get(titled) ?? id}, message ${index + 1}`, out);
    }
  };
  return { addMessage, addTitle, flush };
}

/** Tables that no other program has under `data`. */
const TABLES = ['userInstalledPlugins', 'agentsToSessions', 'sessionGroups', 'messagePlugins', 'topics'];

/** Where the tables stand: `state` of versions with a store in the browser, `data` of those with a database. */
function findRoot(json: unknown): 'state' | 'data' | undefined {
  if (!isRecord(json)) return undefined;
  const { state, data, exportType } = json;
  if (typeof exportType === 'string' && isRecord(state)) return 'state';
  return isRecord(data) && TABLES.some((table) => Array.isArray(data[table])) ? 'data' : undefined;
}

/** The export of LobeChat: of all sessions, of one, or of the database. */
export const lobeChat: Reader = {
  name: 'lobe-chat',
  title: 'LobeChat export',
  detect: ({ json }) => findRoot(json) !== undefined,
  read: (out, { sample: { json } }) => {
    const { addMessage, addTitle, flush } = createChats(out);
    const root = `$.${findRoot(json) ?? 'data'}`;
    const onValue = ({ value, path }: FoundValue): void => {
      if (path[1] === 'messages') addMessage(value, `message ${Number(path[2]) + 1}`);
      else addTitle(value);
    };
    return createJsonSink([`${root}.messages.*`, `${root}.topics.*`, `${root}.sessions.*`], onValue, flush);
  },
};
