import { z } from 'zod';
import { fromInstantText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonLineSink } from '../sinks/json-line-sink.ts';
import { createJsonSink } from '../sinks/json-sink.ts';

const time = z.union([z.string(), z.number()]).nullish();
const text = z.string().nullish();
const memorySchema = z.looseObject({
  memory: text,
  content: text,
  text,
  state: text,
  created_at: time,
  createdAt: time,
});

/** Whom the memories are from: a program wrote them about its user. */
const SPEAKER = 'mem0';

function readMemory(value: unknown, at: string, out: Out) {
  const read = memorySchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it is no memory');
  const { memory, content, text: words, state, created_at: created, createdAt } = read.data;
  const said = memory ?? content ?? words;
  if (said == null || said.trim() === '') return out.fault(at, 'a memory has no words');
  if (state === 'deleted' || state === 'archived') return out.leftOut('deleted message', at, said);
  out.turn({ speaker: SPEAKER, role: 'other', text: said, ...fromInstantText(created ?? createdAt) });
}

const isMemory = (value: unknown): boolean =>
  isRecord(value) && typeof value['memory'] === 'string' && ('id' in value || 'user_id' in value || 'hash' in value);
const isStored = (value: unknown): boolean =>
  isRecord(value) && 'id' in value && typeof value['content'] === 'string' && !('role' in value);
const isResults = (json: unknown): boolean =>
  isRecord(json) && Array.isArray(json['results']) && json['results'].some(isMemory);
const isBackup = (json: unknown): boolean =>
  isRecord(json) && Array.isArray(json['memories']) && json['memories'].some((one) => isMemory(one) || isStored(one));

/** Memories of mem0 (`{results: [{memory}]}`, a list, or a memory a line) and of OpenMemory's backup (`{memories}`). */
export const mem0: Reader = {
  name: 'mem0',
  title: 'mem0 or OpenMemory memories',
  detect: ({ json, jsonLines }) =>
    jsonLines !== undefined && jsonLines.length > 1
      ? jsonLines.some(isMemory)
      : isResults(json) || isBackup(json) || (Array.isArray(json) && json.some(isMemory)),
  read: (out, { sample: { json, jsonLines } }) => {
    out.conversation({ id: 'mem0', title: 'Memories of mem0' });
    if (jsonLines !== undefined && jsonLines.length > 1)
      return createJsonLineSink((value, at) => readMemory(value, at, out), out);
    const paths = Array.isArray(json) ? ['$.*'] : ['$.results.*', '$.memories.*'];
    return createJsonSink(paths, ({ value, path }) => readMemory(value, `memory ${Number(path.at(-1)) + 1}`, out));
  },
};
