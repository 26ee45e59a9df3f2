import { z } from 'zod';
import { toRowWall } from '../chat-row.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';

const turnSchema = z.looseObject({ role: z.enum(['user', 'assistant']), content: z.string() });
const entrySchema = z.looseObject({
  question_id: z.string(),
  haystack_dates: z.array(z.string()),
  haystack_sessions: z.array(z.array(turnSchema)),
});

/** `2023/05/20 (Sat) 02:21`. */
const toWallTime = (date: string | undefined): string | undefined =>
  toRowWall((date ?? '').slice(0, 40).replace(/\s?\([^()]*\)/u, ''));

function readEntry(value: unknown, at: string, out: Out) {
  const read = entrySchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it has no "haystack_sessions" with roles and contents');
  const { question_id: id, haystack_sessions: sessions, haystack_dates: dates } = read.data;
  out.conversation({ id: `longmemeval-${id}` });
  const dated = sessions.map((turns, index) => ({ turns, wall: toWallTime(dates[index]) }));
  // The sessions of a question come in no order of time.
  for (const { turns, wall } of dated.toSorted((a, b) => (a.wall ?? '').localeCompare(b.wall ?? '')))
    for (const { role, content } of turns) out.turn({ role, text: content, wall });
}

const isEntry = (value: unknown): boolean =>
  isRecord(value) && 'question_id' in value && Array.isArray(value['haystack_sessions']);

/** LongMemEval: the sessions before each question are one conversation; questions and answers are left out. */
export const longMemEval: Reader = {
  name: 'longmemeval',
  title: 'LongMemEval',
  detect: ({ json }) => Array.isArray(json) && json.some(isEntry),
  read: (out) => createJsonSink(['$.*'], ({ value, path }) => readEntry(value, `entry ${Number(path[0]) + 1}`, out)),
};
