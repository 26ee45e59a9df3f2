import { z } from 'zod';
import { toPartsText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';
import { toFileTitle } from '../text/file-title.ts';

const stepSchema = z.looseObject({
  type: z.string().nullish(),
  content: z.array(z.unknown()).nullish(),
  style: z.looseObject({ type: z.string().nullish() }).nullish(),
});
const versionSchema = z.looseObject({
  role: z.string(),
  content: z.union([z.string(), z.array(z.unknown())]).nullish(),
  steps: z.array(stepSchema).nullish(),
});
const messageSchema = z.looseObject({
  versions: z.array(z.unknown()),
  currentlySelected: z.number().int().min(0).nullish(),
});

/** The words of an answer that was made in steps: thoughts and calls of tools are steps too. */
function toStepsText(steps: readonly z.output<typeof stepSchema>[]): string {
  const said = steps.filter(
    ({ type, style }) => (type ?? 'contentBlock') === 'contentBlock' && style?.type !== 'thinking',
  );
  return said
    .map(({ content }) => toPartsText(content ?? []))
    .filter((words) => words !== '')
    .join('\n');
}

function readMessage(value: unknown, at: string, out: Out) {
  const read = messageSchema.safeParse(value);
  const { versions = [], currentlySelected: selected } = read.data ?? {};
  const version = versionSchema.safeParse(versions[selected ?? 0] ?? versions[0]);
  if (!version.success) return out.fault(at, 'it has no version that was selected');
  const { role, content, steps } = version.data;
  const text = toPartsText(content ?? []) || toStepsText(steps ?? []);
  if (role !== 'user' && role !== 'assistant') return out.leftOut('message of the system or of a tool', at, text);
  out.turn({ role, text });
}

const isMessage = (one: unknown): boolean => isRecord(one) && Array.isArray(one['versions']);

/** A conversation of LM Studio: `<number>.conversation.json`. Its messages have no times. */
export const lmStudio: Reader = {
  name: 'lm-studio',
  title: 'LM Studio conversation',
  detect: ({ json }) => isRecord(json) && Array.isArray(json['messages']) && json['messages'].some(isMessage),
  read: (out, { file }) => {
    const id = toFileTitle(file);
    const head = id === undefined ? {} : { id: `lm-studio-${id}`.slice(0, 200) };
    let isOpen = false;
    return createJsonSink(['$.name', '$.messages.*'], ({ value, path }) => {
      const title = path[0] === 'name' && typeof value === 'string' ? value : undefined;
      if (!isOpen) out.conversation({ ...head, title });
      isOpen = true;
      if (path[0] === 'messages') readMessage(value, `message ${Number(path[1]) + 1}`, out);
    });
  },
};
