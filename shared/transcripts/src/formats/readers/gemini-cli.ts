import { z } from 'zod';
import { asText, fromIso, toPartsText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonLineSink } from '../sinks/json-line-sink.ts';
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

const isAnswer = (line: Readonly<Record<string, unknown>>): boolean =>
  line['type'] === 'gemini' && typeof line['id'] === 'string' && 'timestamp' in line && 'content' in line;

/**
 * A session of Gemini CLI as it is written line by line: `~/.gemini/tmp/<project>/chats/session-….jsonl`. A message is written again
 * when tools or tokens are added to it, and `$rewindTo` takes one back with all that followed. Source: google-gemini/gemini-cli,
 * packages/core/src/services/chatRecordingService.ts.
 */
export const geminiCliLines: Reader = {
  name: 'gemini-cli-lines',
  title: 'Gemini CLI session (JSON lines)',
  detect: ({ jsonLines = [] }) =>
    jsonLines.some((line) => isAnswer(line) || ('sessionId' in line && 'projectHash' in line)),
  read: (out) => {
    const messages = new Map<string, readonly [value: unknown, at: string]>();
    const rewind = (id: unknown): void => {
      const ids = [...messages.keys()];
      for (const one of ids.slice(Math.max(0, ids.indexOf(String(id))))) messages.delete(one);
    };
    const onValue = (value: Readonly<Record<string, unknown>>, at: string): void => {
      const { id, sessionId } = value;
      if ('$rewindTo' in value) rewind(value['$rewindTo']);
      else if (typeof id === 'string') messages.set(id, [value, at]);
      else if (typeof sessionId === 'string') out.conversation({ id: `gemini-cli-${sessionId}`.slice(0, 200) });
      else out.leftOut('line that is no message', at, '');
    };
    return createJsonLineSink(onValue, out, () => {
      for (const [value, at] of messages.values()) readMessage(value, at, out);
    });
  },
};

/** A session of Gemini CLI in one piece, as earlier versions wrote it: `~/.gemini/tmp/<project>/chats/session-….json`. */
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
