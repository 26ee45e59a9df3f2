import { z } from 'zod';
import { fromIso } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonLineSink } from '../sinks/json-line-sink.ts';

type Event = Readonly<Record<string, unknown>>;

const ROLES = { 'user.message': 'user', 'assistant.message': 'assistant' } as const;
const isMessage = (type: unknown): type is keyof typeof ROLES => typeof type === 'string' && Object.hasOwn(ROLES, type);
/** Each kind of event has a name of two words, and a parent: the first one has `null`. */
const isEvent = (line: Event): boolean =>
  isRecord(line['data']) && 'parentId' in line && /^[a-z_]+\.[a-z_]+$/u.test(String(line['type']));

const messageSchema = z.looseObject({ content: z.string(), parentToolCallId: z.string().nullish() });

function readEvent(event: Event, at: string, out: Out) {
  const { type, data, timestamp, agentId } = event;
  if (!isMessage(type)) return out.leftOut('line that is no message', at, String(type ?? ''));
  const read = messageSchema.safeParse(data);
  if (!read.success) return out.fault(at, 'it is no message of Copilot CLI');
  const { content, parentToolCallId } = read.data;
  if (agentId != null || parentToolCallId != null)
    return out.leftOut('line of the program or of a helper', at, content);
  if (content.trim() === '') return out.leftOut('call of a tool, or thought', at, '');
  out.turn({ role: ROLES[type], text: content, ...fromIso(timestamp) });
}

/**
 * A session of Copilot CLI: `~/.copilot/session-state/<session>/events.jsonl`. Its events are described in github/copilot-sdk,
 * docs/features/streaming-events.md.
 */
export const copilotCli: Reader = {
  name: 'copilot-cli',
  title: 'Copilot CLI session',
  detect: ({ jsonLines = [] }) =>
    jsonLines.some((line) => isEvent(line) && (isMessage(line['type']) || line['type'] === 'session.start')),
  read: (out) => {
    const begin = (event: Event) => {
      const { sessionId } = Object(event['data']);
      if (typeof sessionId === 'string') out.conversation({ id: `copilot-cli-${sessionId}`.slice(0, 200) });
    };
    return createJsonLineSink((value, at) => {
      if (value['type'] === 'session.start') return begin(value);
      readEvent(value, at, out);
    }, out);
  },
};
