import type { FoundTurn, Out, Reader, Sink } from '../reader.ts';
import { createLineSink } from '../sinks/line-sink.ts';
import { toWall } from '../text/wall-time.ts';
import { type LeftOutPart, putWords, type Words } from '../words.ts';

const FIELD = /^(From|Type|Sent|Received|Attachment|Reaction|Edited): (.{0,500})$/u;
const CONVERSATION = /^Conversation: (.{1,300})$/u;
/** `Tue, 5 Mar 2024 09:00:00 +0100`. */
const TIME = /^[A-Z][a-z]{2}, (\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) ([+-]\d{2})(\d{2})$/u;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** The fields of a message that stand before its words. */
type Head = ReadonlyMap<string, string>;

function toTime(text: string | undefined): Pick<FoundTurn, 'at'> | undefined {
  if (text === undefined || text === 'unknown') return {};
  const [, day, month = '', year, hour, minute, second, hours, minutes] = TIME.exec(text) ?? [];
  const wall = toWall({
    year: Number(year),
    month: MONTHS.indexOf(month) + 1,
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  });
  return wall === undefined
    ? undefined
    : { at: `${wall}${hours === '+00' && minutes === '00' ? 'Z' : `${hours}:${minutes}`}` };
}

/** A person's name, without the number or the user name in brackets after it. */
const toName = (shown: string): string => shown.replace(/ \([^()]{1,100}\)$/u, '');

/** The words of a message below its head: without what it answers, and of one that was changed the last version. */
function toWords(lines: readonly string[], isEdited: boolean): Words {
  const leftOut: LeftOutPart[] = [];
  const leave = (what: string, part: readonly string[]): void => {
    const text = part.join('\n').trim();
    if (text !== '') leftOut.push({ what, text });
  };
  let own = lines;
  if (isEdited) {
    const next = own.findIndex((line, at) => at > 0 && line.startsWith('| Version: '));
    if (next >= 0) leave('earlier version of a message', own.slice(next));
    const version = (next < 0 ? own : own.slice(0, next)).map((line) => line.replace(/^\| ?/u, ''));
    own = version.slice(version.indexOf('') + 1);
  }
  if (own[0]?.startsWith('> From: ') === true) {
    const end = own.findIndex((line) => !line.startsWith('>'));
    leave('quotation of another message', end < 0 ? own : own.slice(0, end));
    own = end < 0 ? [] : own.slice(end);
  }
  return { text: own.join('\n').trim(), leftOut };
}

function readMessage(head: Head, body: readonly string[], at: string, out: Out) {
  const type = head.get('Type');
  if (type !== 'incoming' && type !== 'outgoing') return out.leftOut('system message', at, body.join('\n').trim());
  const time = toTime(head.get('Sent'));
  if (time === undefined) return out.fault(at, 'there is no such date or time');
  const words = toWords(body, head.has('Edited'));
  if (words.text === '') out.leftOut('media', at, '');
  const speaker = toName(head.get('From') ?? '');
  const who = type === 'outgoing' ? ({ role: 'user' } as const) : ({ speaker, role: 'participant' } as const);
  if (words.text !== '' || words.leftOut.length > 0) putWords(words, { ...who, ...time }, at, out);
}

/** Lines that may be the head of the next message: they are words of the last when no time follows. */
function createMessages(out: Out) {
  let message: { readonly head: Map<string, string>; readonly body: string[]; readonly at: string } | undefined;
  let isInHead = false;
  let pending: string[] = [];
  const close = (): void => {
    if (message !== undefined) readMessage(message.head, message.body, message.at, out);
    message = undefined;
  };
  const drop = (): void => {
    message?.body.push(...pending.splice(0));
  };
  const toFields = () => new Map(pending.map((line) => FIELD.exec(line)?.slice(1, 3) as [string, string]));
  return {
    close: (): void => {
      drop();
      close();
    },
    take: (line: string, number: number, isAfterBlank: boolean): void => {
      const key = FIELD.exec(line)?.[1];
      if (isInHead) {
        if (key !== undefined && !(key === 'From' || key === 'Type'))
          message?.head.set(key, line.slice(key.length + 2));
        else isInHead = false;
        return;
      }
      const before = FIELD.exec(pending.at(-1) ?? '')?.[1];
      if (before === 'Type' && (key === 'Sent' || key === 'Received')) {
        const head = toFields();
        pending = [];
        close();
        message = { head: head.set(key, line.slice(key.length + 2)), body: [], at: `line ${number}` };
        isInHead = true;
      } else if ((key === 'From' && isAfterBlank) || (key === 'Type' && (before === 'From' || isAfterBlank))) {
        if (key === 'From' || before !== 'From') drop();
        pending.push(line);
      } else {
        drop();
        message?.body.push(line);
      }
    },
  };
}

function createChat(out: Out): Sink {
  const messages = createMessages(out);
  let isAfterBlank = true;
  return createLineSink((line, number) => {
    const title = number === 1 ? CONVERSATION.exec(line.replace(/^\uFEFF/u, ''))?.[1] : undefined;
    if (title !== undefined) out.conversation({ id: `signal-${title}`.slice(0, 200), title: toName(title) });
    else messages.take(line, number, isAfterBlank);
    isAfterBlank = line === '';
  }, messages.close);
}

/** The text that sigtop writes of a chat of Signal Desktop. */
export const sigtop: Reader = {
  name: 'sigtop',
  title: 'Signal chat (sigtop)',
  detect: ({ lines }) =>
    CONVERSATION.test(lines[0] ?? '') &&
    lines.some((line, at) => line.startsWith('Type: ') && /^(?:Sent|Received): /u.test(lines[at + 1] ?? '')),
  read: createChat,
};
