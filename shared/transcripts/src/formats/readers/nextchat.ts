import { z } from 'zod';
import { readAssistantMessage } from '../assistant-message.ts';
import { toRowTime } from '../chat-row.ts';
import { toPartsText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Reader } from '../reader.ts';
import { type ChatExport, readChat } from '../sinks/chat-export.ts';
import { createJsonSink } from '../sinks/json-sink.ts';

/** Where the backup keeps the chats; settings and keys of providers stand under other names. */
const STORE = 'chat-next-web-store';

const sessionSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  topic: z.string().nullish(),
  messages: z.array(z.unknown()),
});
const messageSchema = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
  date: z.string().nullish(),
  isError: z.boolean().nullish(),
});

const session: ChatExport<z.output<typeof sessionSchema>, z.output<typeof messageSchema>> = {
  name: 'nextchat',
  title: 'NextChat backup',
  conversation: sessionSchema,
  message: messageSchema,
  lacks: { conversation: 'it has no "messages"', message: 'it has no "role"' },
  head: ({ id, topic }) => ({ id, title: topic }),
  messages: ({ messages }) => messages,
  read: ({ role, content, date, isError }, at, out) => {
    const text = toPartsText(content ?? '');
    if (isError === true) out.leftOut('error of the program', at, text);
    // The browser writes the date as its language has it; what cannot be read leaves the message undated.
    else readAssistantMessage({ role, text, ...toRowTime(date ?? '') }, at, out);
  },
};

/** The backup of NextChat (ChatGPT-Next-Web): `Backup-….json`. */
export const nextchat: Reader = {
  name: session.name,
  title: session.title,
  detect: ({ json }) => isRecord(json) && isRecord(json[STORE]),
  read: (out) =>
    createJsonSink([`$.${STORE}.sessions.*`], ({ value, path }) =>
      readChat(session, value, `conversation ${Number(path.at(-1)) + 1}`, out),
    ),
};
