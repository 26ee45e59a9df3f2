import { z } from 'zod';
import { asText, fromIso, toPartsText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';

const blockSchema = z.looseObject({ label: z.string().nullish(), value: z.string() });
const callSchema = z.looseObject({ function: z.looseObject({ name: z.string(), arguments: z.string() }) });
const messageSchema = z.looseObject({
  role: z.string(),
  content: z.unknown(),
  text: z.string().nullish(),
  created_at: z.string().nullish(),
  tool_calls: z.array(z.unknown()).nullish(),
});

/** What the memory blocks say of the user and of the agent; nobody said it. */
function readBlock(value: unknown, out: Out) {
  const read = blockSchema.safeParse(value);
  if (!read.success || read.data.value.trim() === '')
    return out.leftOut('block without text', 'memory block', read.data?.label ?? '');
  out.turn({ speaker: `memory block ${read.data.label ?? ''}`, role: 'other', text: read.data.value });
}

function parseRecord(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** An agent speaks by calling a tool; older ones send their words in no other way. */
function toSent(calls: readonly unknown[]): string | undefined {
  for (const call of calls) {
    const read = callSchema.safeParse(call);
    if (read.success && read.data.function.name === 'send_message')
      return asText(parseRecord(read.data.function.arguments)?.['message']);
  }
  return undefined;
}

/** Types of what the program tells the agent in the place of a message. */
const OF_PROGRAM = new Set([
  'heartbeat',
  'login',
  'system_alert',
  'system_message',
  'bootup',
  'function_output',
  'function_result',
  'tool_result',
  'memory_warning',
  'package_message',
]);

function readMessage(value: unknown, at: string, out: Out) {
  const read = messageSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'a message has no role');
  const { role, content, text, created_at: created, tool_calls: calls } = read.data;
  const said = toPartsText(content) || (text ?? '');
  if (role !== 'user' && role !== 'assistant') return out.leftOut('message of the system or of a tool', at, said);
  const wrapped = role === 'user' ? parseRecord(said) : undefined;
  // Messages of the user stand there as {"type": "user_message", "message": …}; others with a type are of the program.
  if (wrapped !== undefined && OF_PROGRAM.has(asText(wrapped['type']) ?? ''))
    return out.leftOut('line of the program or of a helper', at, said);
  const sent =
    role === 'assistant'
      ? toSent(calls ?? [])
      : wrapped?.['type'] === 'user_message'
        ? asText(wrapped['message'])
        : undefined;
  const words = sent ?? (role === 'assistant' && (calls ?? []).length > 0 ? '' : said);
  if (words.trim() === '') return out.leftOut('call of a tool, or thought', at, said);
  out.turn({ role, text: words, ...fromIso(created) });
}

function readAgent(value: unknown, blocks: readonly unknown[], out: Out) {
  const agent = isRecord(value) ? value : {};
  const name = asText(agent['name']);
  out.conversation({ ...(name !== undefined && { id: `letta-${name}`.slice(0, 200) }), title: name });
  const own = Array.isArray(agent['core_memory']) ? agent['core_memory'] : blocks;
  for (const block of own) readBlock(block, out);
  const messages: readonly unknown[] = Array.isArray(agent['messages']) ? agent['messages'] : [];
  for (const [index, message] of messages.entries()) readMessage(message, `message ${index + 1}`, out);
}

const isAgent = (value: unknown): boolean =>
  isRecord(value) && ('core_memory' in value || 'agent_type' in value || 'block_ids' in value) && 'name' in value;

/** A Letta agent file (`.af`): its memory blocks and its messages. */
export const letta: Reader = {
  name: 'letta',
  title: 'Letta agent file',
  detect: ({ json }) =>
    isAgent(json) || (isRecord(json) && Array.isArray(json['agents']) && json['agents'].some(isAgent)),
  read: (out) =>
    createJsonSink(['$'], ({ value }) => {
      const file = isRecord(value) ? value : {};
      const agents: readonly unknown[] = Array.isArray(file['agents']) ? file['agents'] : [file];
      const blocks: readonly unknown[] = Array.isArray(file['blocks']) ? file['blocks'] : [];
      for (const agent of agents) readAgent(agent, toOwnBlocks(agent, blocks), out);
    }),
};

/** The blocks that an agent has, of all that are in the file. */
function toOwnBlocks(agent: unknown, blocks: readonly unknown[]): readonly unknown[] {
  const ids = isRecord(agent) && Array.isArray(agent['block_ids']) ? new Set<unknown>(agent['block_ids']) : undefined;
  return ids === undefined ? blocks : blocks.filter((block) => isRecord(block) && ids.has(block['id']));
}
