import { z } from 'zod';
import { readAssistantMessage } from '../assistant-message.ts';
import { toRowTime } from '../chat-row.ts';
import { toPartsText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
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

function readSession(value: unknown, at: string, out: Out) {
  const read = sessionSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it has no "messages"');
  const { id, topic, messages } = read.data;
  out.conversation({ ...(id != null && { id: `nextchat-${id}`.slice(0, 200) }), title: topic || undefined });
  for (const [index, one] of messages.entries()) {
    const message = messageSchema.safeParse(one);
    if (!message.success) {
      out.fault(`${at}, message ${index + 1}`, 'it has no "role"');
      continue;
    }
    const { role, content, date, isError } = message.data;
    if (isError === true)
      out.leftOut('error of the program', `${at}, message ${index + 1}`, toPartsText(content ?? ''));
    // The browser writes the date as its language has it; what cannot be read leaves the message undated.
    else
      readAssistantMessage(
        { role, text: toPartsText(content ?? ''), ...toRowTime(date ?? '') },
        `${at}, message ${index + 1}`,
        out,
      );
  }
}

/** The backup of NextChat (ChatGPT-Next-Web): `Backup-….json`. */
export const nextchat: Reader = {
  name: 'nextchat',
  title: 'NextChat backup',
  detect: ({ json }) => isRecord(json) && isRecord(json[STORE]),
  read: (out) =>
    createJsonSink([`$.${STORE}.sessions.*`], ({ value, path }) =>
      readSession(value, `conversation ${Number(path.at(-1)) + 1}`, out),
    ),
};
