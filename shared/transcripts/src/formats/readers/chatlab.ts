import { z } from 'zod';
import { asText, fromSeconds } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonLineSink } from '../sinks/json-line-sink.ts';
import { createJsonSink } from '../sinks/json-sink.ts';
import { putWords } from '../words.ts';
import { toChineseWords } from './chinese-words.ts';

const messageSchema = z.looseObject({
  sender: z.union([z.string(), z.number()]).nullish(),
  accountName: z.string().nullish(),
  groupNickname: z.string().nullish(),
  timestamp: z.number(),
  type: z.number().nullish(),
  content: z.string().nullish(),
});

/** Words, and replies, of ChatLab's types of messages. */
const SAID = new Set([0, 25]);

function readMessage(value: unknown, at: string, out: Out) {
  const read = messageSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it is no message of ChatLab');
  const { sender, accountName, groupNickname, timestamp, type, content } = read.data;
  if (!SAID.has(type ?? 0)) return out.leftOut('media or system message', at, content ?? '');
  const speaker = groupNickname || accountName || String(sender ?? '');
  putWords(toChineseWords(content ?? ''), { speaker, role: 'participant', at: fromSeconds(timestamp) }, at, out);
}

function begin(value: unknown, out: Out) {
  const title = isRecord(value) ? asText(value['name']) : undefined;
  out.conversation({ ...(title !== undefined && { id: `chatlab-${title}`.slice(0, 200) }), title });
}

const isHead = (value: unknown): boolean => isRecord(value) && isRecord(value['chatlab']);

/** ChatLab's format for exchange, which exporters of WeChat, QQ and others write: JSON, or JSON Lines with `_type`. */
export const chatlab: Reader = {
  name: 'chatlab',
  title: 'ChatLab chat',
  detect: ({ json, jsonLines }) => isHead(json) || jsonLines?.some(isHead) === true,
  read: (out, { sample: { jsonLines } }) => {
    if (jsonLines !== undefined && jsonLines.length > 1)
      return createJsonLineSink((value, at) => {
        if (value['_type'] === 'message') readMessage(value, at, out);
        else if (value['_type'] === 'header') begin(value['meta'], out);
      }, out);
    return createJsonSink(['$.meta', '$.messages.*'], ({ value, path }) =>
      path[0] === 'meta' ? begin(value, out) : readMessage(value, `message ${Number(path[1]) + 1}`, out),
    );
  },
};
