import { z } from 'zod';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';
import { toFileTitle } from '../text/file-title.ts';

const partSchema = z.looseObject({
  text: z.string().nullish(),
  transcript: z.string().nullish(),
  speaker: z.union([z.string(), z.number()]).nullish(),
  speaker_label: z.string().nullish(),
});

/** Where programs put the parts of a talk: Whisper and WhisperX, AssemblyAI, Deepgram, Amazon Transcribe. */
const PLACES = [['segments'], ['utterances'], ['results', 'utterances'], ['results', 'audio_segments']] as const;

const isPart = (value: unknown): boolean =>
  isRecord(value) &&
  (typeof value['text'] === 'string' || typeof value['transcript'] === 'string') &&
  ['start', 'start_time', 'speaker'].some((key) => key in value);

function findPlace(json: unknown): (typeof PLACES)[number] | undefined {
  return PLACES.find((place) => {
    const list = place.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), json);
    return Array.isArray(list) && list.some(isPart);
  });
}

/** Speakers that have a number or a letter and no name. */
const toSpeaker = (speaker: string | number | null | undefined): string | undefined => {
  if (speaker == null || speaker === '') return undefined;
  return typeof speaker === 'number' || /^[A-Z\d]{1,2}$/u.test(speaker) ? `Speaker ${speaker}` : speaker;
};

/** Joins what one person says over several parts. */
export function createTalk(out: Out) {
  let open: { readonly speaker: string | undefined; readonly texts: string[] } | undefined;
  const flush = (): void => {
    if (open !== undefined) out.turn({ speaker: open.speaker, role: 'participant', text: open.texts.join(' ') });
    open = undefined;
  };
  const add = (value: unknown, at: string) => {
    const read = partSchema.safeParse(value);
    if (!read.success) return out.fault(at, 'it has no words');
    const words = (read.data.text ?? read.data.transcript ?? '').trim();
    if (words === '') return out.leftOut('empty message', at, '');
    const speaker = toSpeaker(read.data.speaker ?? read.data.speaker_label);
    if (open?.speaker !== speaker) flush();
    open ??= { speaker, texts: [] };
    open.texts.push(words);
  };
  return { add, flush };
}

/** What programs that write down speech give as JSON: who said what in which part of a recording. */
export const speechJson: Reader = {
  name: 'speech-json',
  title: 'transcript of speech (JSON)',
  detect: ({ json }) => findPlace(json) !== undefined,
  read: (out, { file, sample: { json } }) => {
    out.conversation({ title: toFileTitle(file) });
    out.note('transcripts of speech tell no date: give --date');
    const { add, flush } = createTalk(out);
    const place = findPlace(json) ?? PLACES[0];
    return createJsonSink(
      [`$.${place.join('.')}.*`],
      ({ value, path }) => add(value, `part ${Number(path.at(-1)) + 1}`),
      flush,
    );
  },
};
