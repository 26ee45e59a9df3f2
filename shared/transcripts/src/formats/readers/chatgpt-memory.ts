import { z } from 'zod';
import { fromInstantText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';

const text = z.string().nullish();
const time = z.union([z.string(), z.number()]).nullish();
const memorySchema = z.looseObject({
  content: text,
  enabled: z.boolean().nullish(),
  created_at: time,
  created_timestamp: time,
  updated_at: time,
});

function readMemory(value: unknown, at: string, out: Out) {
  const read = memorySchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it is no memory of ChatGPT');
  const { content, enabled, created_at, created_timestamp, updated_at } = read.data;
  if (content == null || content.trim() === '') return out.fault(at, 'a memory has no words');
  if (enabled === false) return out.leftOut('memory that is turned off', at, content);
  out.turn({
    speaker: 'memory',
    role: 'participant',
    text: content.trim(),
    ...fromInstantText(created_at ?? created_timestamp ?? updated_at),
  });
}

/** An entry of the export's list: `enabled` is what no other list of memories has. */
const isListed = (value: unknown): boolean =>
  isRecord(value) &&
  typeof value['content'] === 'string' &&
  typeof value['enabled'] === 'boolean' &&
  !('role' in value);
/** The answer of the page of saved memories: it tells how full they are, and of which assistant of one's own each is. */
const isAnswer = (json: unknown): boolean =>
  isRecord(json) &&
  Array.isArray(json['memories']) &&
  ('memory_max_tokens' in json || 'memory_num_tokens' in json || 'gizmo_id' in Object(json['memories'][0]));

/**
 * What ChatGPT has saved of its user: `memory.json` of its export, a list of `content` and `enabled`, or what its page of saved memories
 * is told, `{memories: [{content}], memory_num_tokens}`. OpenAI documents neither; both are read by marks that no other file has.
 */
export const chatgptMemory: Reader = {
  name: 'chatgpt-memory',
  title: 'saved memories of ChatGPT',
  detect: ({ json }) => isAnswer(json) || (Array.isArray(json) && isListed(json[0])),
  read: (out, { sample: { json } }) => {
    out.conversation({ id: 'chatgpt-memory', title: 'Memories of ChatGPT' });
    return createJsonSink([Array.isArray(json) ? '$.*' : '$.memories.*'], ({ value, path }) =>
      readMemory(value, `memory ${Number(path.at(-1)) + 1}`, out),
    );
  },
};
