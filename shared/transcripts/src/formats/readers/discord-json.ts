import { z } from 'zod';
import { fromIso } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';

const headSchema = z.looseObject({ id: z.union([z.string(), z.number()]).optional(), name: z.string().nullish() });
const messageSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).transform(String).optional(),
  type: z.union([z.string(), z.number()]).optional(),
  timestamp: z.string().optional(),
  content: z.string().default(''),
  author: z.looseObject({ name: z.string().nullish(), nickname: z.string().nullish() }),
});

/** What people say; other types are joins, pins, calls and the like. */
const SAID = new Set([
  'Default',
  'Reply',
  'ThreadStarterMessage',
  'ChatInputCommand',
  'ContextMenuCommand',
  '0',
  '19',
  '20',
  '21',
  '23',
]);

function readMessage(value: unknown, at: string, out: Out) {
  const read = messageSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it has no author');
  const { id, type = 'Default', timestamp, content, author } = read.data;
  if (!SAID.has(String(type))) return out.leftOut(`system message (${type})`, at, content);
  if (content.trim() === '') return out.leftOut('media', at, '');
  const speaker = author.nickname || author.name || undefined;
  out.turn({ id, speaker, role: 'participant', text: content, ...fromIso(timestamp) });
}

const nameOf = (value: unknown) => headSchema.safeParse(value).data;

/** What DiscordChatExporter writes as JSON. */
export const discordJson: Reader = {
  name: 'discord',
  title: 'Discord chat (DiscordChatExporter)',
  detect: ({ json }) =>
    isRecord(json) && isRecord(json['channel']) && ('guild' in json || 'messageCount' in json || 'dateRange' in json),
  read: (out) => {
    let guild: string | undefined;
    return createJsonSink(['$.guild', '$.channel', '$.messages.*'], ({ value, path }) => {
      if (path[0] === 'guild') guild = nameOf(value)?.name ?? undefined;
      else if (path[0] === 'messages') readMessage(value, `message ${Number(path[1]) + 1}`, out);
      else {
        const channel = nameOf(value);
        const title = [guild, channel?.name].filter((one) => one != null && one !== '').join(' / ');
        out.conversation({ ...(channel?.id !== undefined && { id: `discord-${channel.id}` }), title });
      }
    });
  },
};
