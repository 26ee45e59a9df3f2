import { z } from 'zod';
import { toPartsText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonLineSink } from '../sinks/json-line-sink.ts';

const lineSchema = z.looseObject({
  role: z.enum(['user', 'assistant']),
  message: z.looseObject({ content: z.union([z.string(), z.array(z.unknown())]) }),
});
const SAID = new Set(['text']);
const [OPENING, CLOSING] = ['<user_query>', '</user_query>'];

/** The words of a user between the marks that Cursor puts around them; above stands what the editor adds: files, the time. */
function toWords(text: string, at: string, out: Out): string {
  const start = text.indexOf(OPENING);
  const end = text.lastIndexOf(CLOSING);
  if (start < 0 || end < start || text.slice(end + CLOSING.length).trim() !== '') return text;
  const above = text.slice(0, start).trim();
  if (above !== '') out.leftOut('line of the program or of a helper', at, above);
  return text.slice(start + OPENING.length, end).trim();
}

function readLine(value: Readonly<Record<string, unknown>>, at: string, out: Out) {
  if (!('message' in value)) return out.leftOut('line that is no message', at, String(value['type'] ?? ''));
  const read = lineSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it is no message of Cursor');
  const { role, message } = read.data;
  const text = toPartsText(message.content, SAID);
  if (text.trim() === '') return out.leftOut('call of a tool, or thought', at, '');
  out.turn({ role, text: role === 'user' ? toWords(text, at, out) : text });
}

/**
 * A session of Cursor: `~/.cursor/projects/<project>/agent-transcripts/<session>.jsonl`, undated. Cursor does not document it; the form is
 * that of a recorded session in entireio/cli, cmd/entire/cli/agent/cursor/AGENT.md.
 */
export const cursor: Reader = {
  name: 'cursor',
  title: 'Cursor session',
  detect: ({ jsonLines = [] }) =>
    jsonLines.some(
      ({ role, message, type }) =>
        (role === 'user' || role === 'assistant') && type === undefined && isRecord(message) && 'content' in message,
    ),
  read: (out) => createJsonLineSink((value, at) => readLine(value, at, out), out),
};
