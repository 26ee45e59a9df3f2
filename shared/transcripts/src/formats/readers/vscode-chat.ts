import { z } from 'zod';
import { asText, fromSeconds } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';

const requestSchema = z.looseObject({
  message: z.union([z.string(), z.looseObject({ text: z.string().nullish() })]),
  response: z.array(z.unknown()).nullish(),
  timestamp: z.number().nullish(),
  isHidden: z.boolean().nullish(),
});

/** The words of a part of an answer; what it thinks, its calls of tools and its changes of files have a kind. */
function toWords(part: unknown): string {
  if (!isRecord(part) || ('kind' in part && part['kind'] !== 'markdownContent')) return '';
  const { value, content } = part;
  const nested = [value, content].find(isRecord);
  return asText(value) ?? asText(nested?.['value']) ?? '';
}

function readRequest(value: unknown, at: string, out: Out) {
  const read = requestSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it has no message');
  const { message, response, timestamp, isHidden } = read.data;
  const time = { at: timestamp == null ? undefined : fromSeconds(timestamp / 1000) };
  const prompt = typeof message === 'string' ? message : (message.text ?? '');
  if (isHidden === true) return out.leftOut('line of the program or of a helper', at, prompt);
  const answer = (response ?? []).map(toWords).join('').trim();
  if (prompt.trim() !== '') out.turn({ role: 'user', text: prompt, ...time });
  if (answer === '') out.leftOut('call of a tool, or thought', at, '');
  else out.turn({ role: 'assistant', text: answer, ...time });
}

/** The chat with Copilot that Visual Studio Code exports or keeps (`chatSessions/<id>.json`). */
export const vscodeChat: Reader = {
  name: 'vscode-chat',
  title: 'Visual Studio Code chat',
  detect: ({ json }) => isRecord(json) && 'responderUsername' in json && Array.isArray(json['requests']),
  read: (out, { sample: { json } }) => {
    const id = isRecord(json) ? asText(json['sessionId']) : undefined;
    const title = isRecord(json) ? asText(json['customTitle']) : undefined;
    out.conversation({ ...(id !== undefined && { id: `vscode-chat-${id}`.slice(0, 200) }), title });
    return createJsonSink(['$.requests.*'], ({ value, path }) =>
      readRequest(value, `request ${Number(path[1]) + 1}`, out),
    );
  },
};
