import { z } from 'zod';
import { asText, fromIso, toPartsText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';

const messageSchema = z.looseObject({
  type: z.string(),
  timestamp: z.string().nullish(),
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
});

/** Commands of the program and of the shell, which the user typed and which are no words to the assistant. */
const COMMAND = /^\s*[/!]\S/u;

function readMessage(value: unknown, at: string, out: Out) {
  const read = messageSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it is no message of Gemini CLI');
  const { type, timestamp, content } = read.data;
  if (type !== 'user' && type !== 'gemini') return out.leftOut('line of the program or of a helper');
  const text = toPartsText(content ?? '').trim();
  if (text === '') return out.leftOut('call of a tool, or thought');
  if (type === 'user' && COMMAND.test(text)) return out.leftOut('line of the program or of a helper');
  out.turn({ role: type === 'user' ? 'user' : 'assistant', text, ...fromIso(timestamp) });
}

/** A session of Gemini CLI: `~/.gemini/tmp/<project>/chats/session-….json`. */
export const geminiCli: Reader = {
  name: 'gemini-cli',
  title: 'Gemini CLI session',
  detect: ({ json }) =>
    isRecord(json) && 'sessionId' in json && 'projectHash' in json && Array.isArray(json['messages']),
  read: (out, { sample: { json } }) => {
    const id = isRecord(json) ? asText(json['sessionId']) : undefined;
    out.conversation({ ...(id !== undefined && { id: `gemini-cli-${id}`.slice(0, 200) }) });
    return createJsonSink(['$.messages.*'], ({ value, path }) =>
      readMessage(value, `message ${Number(path[1]) + 1}`, out),
    );
  },
};
