import { z } from 'zod';
import { asText, fromIso, toPartsText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';
import { isGeminiCommand } from '../templates/programs.ts';

const messageSchema = z.looseObject({
  type: z.string(),
  timestamp: z.string().nullish(),
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
});

function readMessage(value: unknown, at: string, out: Out) {
  const read = messageSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it is no message of Gemini CLI');
  const { type, timestamp, content } = read.data;
  const text = toPartsText(content ?? '').trim();
  if (type !== 'user' && type !== 'gemini') return out.leftOut('line of the program or of a helper', at, text);
  if (text === '') return out.leftOut('call of a tool, or thought', at, '');
  if (type === 'user' && isGeminiCommand(text)) return out.leftOut('line of the program or of a helper', at, text);
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
