import { z } from 'zod';
import { fromIso } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';
import { toFileTitle } from '../text/file-title.ts';

const chunkSchema = z.looseObject({
  role: z.string(),
  text: z.string().nullish(),
  isThought: z.boolean().nullish(),
  createTime: z.string().nullish(),
});

function readChunk(value: unknown, at: string, out: Out) {
  const read = chunkSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it has no role');
  const { role, text, isThought, createTime } = read.data;
  if (isThought === true) return out.leftOut('call of a tool, or thought', at, text ?? '');
  if (text == null || text.trim() === '') return out.leftOut('media', at, '');
  out.turn({ role: role === 'user' ? 'user' : 'assistant', text, ...fromIso(createTime) });
}

/** A chat of Google AI Studio, as it lies in Google Drive. */
export const aiStudio: Reader = {
  name: 'ai-studio',
  title: 'Google AI Studio chat',
  detect: ({ json }) => isRecord(json) && isRecord(json['chunkedPrompt']),
  read: (out, { file }) => {
    out.conversation({ title: toFileTitle(file) });
    return createJsonSink(['$.chunkedPrompt.chunks.*'], ({ value, path }) =>
      readChunk(value, `chunk ${Number(path.at(-1)) + 1}`, out),
    );
  },
};
