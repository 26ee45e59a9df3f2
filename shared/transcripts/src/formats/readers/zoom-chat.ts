import type { Reader } from '../reader.ts';
import { createHeadedLineSink, type HeadedLine } from '../sinks/headed-lines.ts';
import { findZoomNotice } from '../templates/messengers.ts';
import { unsaid, type Words } from '../words.ts';

/** `09:00:01 From Ann Lee to Everyone:`, with the words in the same line or below; newer versions write the day. */
const HEAD =
  /^(?:(?<day>\d{4}-\d{2}-\d{2}) )?(?<clock>\d{2}:\d{2}:\d{2})\s{1,4}From\s{1,4}(?<name>\S.{0,78}?)\s{1,4}to\s{1,4}(?<to>\S.{0,78}?)\s?:(?:\s(?<text>.*))?$/su;
const MAX_HEAD = 240;
/** What Zoom writes above the words of an answer. */
const ANSWERED = /^Replying to "[^"\n]{0,300}"\s*\n/u;

function execute(line: string) {
  const groups = HEAD.exec(line.slice(0, MAX_HEAD))?.groups;
  if (groups === undefined) return undefined;
  return { ...groups, text: (groups['text'] ?? '') + line.slice(MAX_HEAD) } as Readonly<
    Record<string, string | undefined>
  >;
}

function readLine(line: string): HeadedLine | undefined {
  const said = execute(line);
  if (said === undefined) return undefined;
  const { day, clock, name, text = '' } = said;
  const wall = day === undefined ? undefined : `${day}T${clock}`;
  return { kind: 'head', turn: { speaker: name, role: name === 'Me' ? 'user' : 'participant', wall }, text };
}

function toWords(text: string): Words {
  const [answered = ''] = ANSWERED.exec(text) ?? [];
  const words = text.slice(answered.length).trim();
  const quoted = answered === '' ? [] : [{ what: 'quotation of another message', text: answered.trim() }];
  const reason = findZoomNotice(words);
  return reason === undefined ? { text: words, leftOut: quoted } : unsaid(reason, text);
}

/** The chat of a meeting that Zoom saves: `meeting_saved_chat.txt`. */
export const zoomChat: Reader = {
  name: 'zoom-chat',
  title: 'Zoom meeting chat',
  detect: ({ lines }) => {
    const first = lines.find((line) => line.trim() !== '');
    return first !== undefined && execute(first.replace(/^\uFEFF/u, '')) !== undefined;
  },
  read: (out, { sample: { lines } }) => {
    const isDated = lines.some((line) => execute(line)?.['day'] !== undefined);
    if (!isDated) out.note('its heads tell the time and no day, so its turns are undated');
    return createHeadedLineSink({ readLine, toWords }, out);
  },
};
