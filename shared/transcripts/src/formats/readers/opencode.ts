import { z } from 'zod';
import { fromInstantText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';

const messageSchema = z.object({
  info: z.looseObject({
    role: z.enum(['user', 'assistant']),
    summary: z.unknown().optional(),
    time: z.looseObject({ created: z.number() }).nullish(),
  }),
  parts: z.array(
    z.looseObject({
      type: z.string(),
      text: z.string().nullish(),
      synthetic: z.boolean().nullish(),
      ignored: z.boolean().nullish(),
    }),
  ),
});

function readMessage(value: unknown, at: string, out: Out) {
  const read = messageSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it is no message of OpenCode');
  const { info, parts } = read.data;
  const texts = parts.filter(({ type }) => type === 'text');
  const own = texts.filter(({ synthetic, ignored }) => synthetic !== true && ignored !== true);
  const toText = (list: typeof texts): string =>
    list
      .map(({ text }) => text ?? '')
      .join('\n')
      .trim();
  // What a session is shortened to says what was said before once more.
  if (info.summary === true || (own.length === 0 && texts.length > 0)) {
    return out.leftOut('line of the program or of a helper', at, toText(texts));
  }
  const text = toText(own);
  if (text === '') return out.leftOut('call of a tool, or thought', at, '');
  out.turn({ role: info.role, text, ...fromInstantText(info.time?.created) });
}

const isMessage = (one: unknown): boolean => isRecord(one) && isRecord(one['info']) && Array.isArray(one['parts']);

/** A session of OpenCode, as `opencode export` writes it. */
export const openCode: Reader = {
  name: 'opencode',
  title: 'OpenCode session',
  detect: ({ json }) =>
    isRecord(json) && isRecord(json['info']) && Array.isArray(json['messages']) && json['messages'].some(isMessage),
  read: (out, { sample: { json } }) => {
    const info = isRecord(json) && isRecord(json['info']) ? json['info'] : {};
    const { id, title } = info;
    out.conversation({
      ...(typeof id === 'string' && { id: `opencode-${id}`.slice(0, 200) }),
      ...(typeof title === 'string' && { title }),
    });
    return createJsonSink(['$.messages.*'], ({ value, path }) =>
      readMessage(value, `message ${Number(path[1]) + 1}`, out),
    );
  },
};
