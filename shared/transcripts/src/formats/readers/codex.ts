import { z } from 'zod';
import { asText, fromIso, toPartsText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonLineSink } from '../sinks/json-line-sink.ts';
import { isOfCodex } from '../templates/programs.ts';

const messageSchema = z.looseObject({
  type: z.literal('message'),
  role: z.string(),
  content: z.union([z.string(), z.array(z.unknown())]),
});

/** What an editor puts above the words of the user. */
const IDE = /^\s*# Context from my IDE setup:.*?\n## My request for Codex:\s*/su;

function readLine(
  value: Readonly<Record<string, unknown>>,
  at: string,
  out: Out,
  begin: (id: string | undefined) => void,
) {
  const isWrapped = isRecord(value['payload']);
  const payload: Readonly<Record<string, unknown>> = isRecord(value['payload']) ? value['payload'] : value;
  const isHead =
    value['type'] === 'session_meta' || (!isWrapped && 'id' in value && 'timestamp' in value && !('role' in value));
  if (isHead) return begin(asText(payload['id']));
  // Messages stand there twice: as what the model was sent, and as an event of the terminal.
  const isMessage = payload['type'] === 'message' && (!isWrapped || value['type'] === 'response_item');
  if (!isMessage) return out.leftOut('line that is no message', at, asText(payload['type']) ?? '');
  const read = messageSchema.safeParse(payload);
  if (!read.success) return out.fault(at, 'it is no message of Codex');
  const { role } = read.data;
  const text = toPartsText(read.data.content);
  if ((role !== 'user' && role !== 'assistant') || (role === 'user' && isOfCodex(text)))
    return out.leftOut('line of the program or of a helper', at, text);
  const [above = ''] = role === 'user' ? (IDE.exec(text) ?? []) : [];
  if (above !== '') out.leftOut('line of the program or of a helper', at, above);
  out.turn({ role, text: text.slice(above.length), ...fromIso(value['timestamp']) });
}

/** A session of Codex: `~/.codex/sessions/…/rollout-….jsonl`. */
export const codex: Reader = {
  name: 'codex',
  title: 'Codex session',
  detect: ({ jsonLines = [] }) =>
    jsonLines.some(
      (line) => (line['type'] === 'session_meta' || line['type'] === 'response_item') && isRecord(line['payload']),
    ) ||
    (jsonLines[0] !== undefined &&
      'instructions' in jsonLines[0] &&
      'id' in jsonLines[0] &&
      jsonLines.some((line) => line['type'] === 'message')),
  read: (out) => {
    let isBegun = false;
    // A session that goes on from another has the head of that one too, below its own.
    const begin = (id: string | undefined): void => {
      if (!isBegun) out.conversation({ ...(id !== undefined && { id: `codex-${id}` }) });
      isBegun = true;
    };
    return createJsonLineSink((value, at) => readLine(value, at, out, begin), out);
  },
};
