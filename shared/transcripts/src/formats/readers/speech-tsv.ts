import type { Reader } from '../reader.ts';
import { createLineSink } from '../sinks/line-sink.ts';
import { toFileTitle } from '../text/file-title.ts';
import { createTalk } from './speech-json.ts';

const HEADER = /^\uFEFF?start\tend\ttext(?:\tspeaker)?\s*$/u;
const PART = /^\d+(?:\.\d+)?$/u;

/** The table with tabs that Whisper writes: when a part begins and ends, and its words, which no quotation marks enclose. */
export const speechTsv: Reader = {
  name: 'speech-tsv',
  title: 'transcript of speech (TSV)',
  detect: ({ lines: [first = ''] }) => HEADER.test(first),
  read: (out, { file }) => {
    out.conversation({ title: toFileTitle(file) });
    out.note('transcripts of speech tell no date: give --date');
    const { add, flush } = createTalk(out);
    return createLineSink((line, number) => {
      if (line.trim() === '' || (number === 1 && HEADER.test(line))) return;
      const [start = '', end = '', text, speaker] = line.split('\t');
      if (PART.test(start) && PART.test(end) && text !== undefined) add({ text, speaker }, `line ${number}`);
      else out.fault(`line ${number}`, 'it is no part of a transcript: start, end and words');
    }, flush);
  },
};
