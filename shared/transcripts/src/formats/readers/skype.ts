import { z } from 'zod';
import { asText, fromIso } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { FoundTurn, Out, Reader, Sink } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';
import { createNewestFirst } from '../sinks/newest-first.ts';
import { toHtmlText } from '../text/html-text.ts';

const text = z.string().nullish();
const messageSchema = z.looseObject({
  ...{ displayName: text, originalarrivaltime: text, messagetype: text, content: text },
  from: z.string(),
});

/** What people write; other types are calls, cards, files and notices of the thread. */
const SAID = /^(?:RichText|Text|RichText\/Html)$/u;
/** The account of `8:live:ann`, of `https://…/contacts/8:ann` too. */
const toAccount = (from: string): string =>
  from.replace(/^.*\//u, '').replace(/^\d{1,2}:(?:live:|orgid:)?(?:\.cid\.)?/u, '');

/** A text without the elements of a name, which hold what a message answers; one that does not end stays. */
function withoutElements(html: string, name: string): string {
  const [open, close] = [`<${name}`, `</${name}>`];
  const kept: string[] = [];
  let from = 0;
  for (let start = html.indexOf(open); start >= 0; start = html.indexOf(open, from)) {
    const end = html.indexOf(close, start);
    if (end < 0) break;
    kept.push(html.slice(from, start));
    from = end + close.length;
  }
  return [...kept, html.slice(from)].join('');
}

const toWords = (content: string): string =>
  toHtmlText(withoutElements(withoutElements(content, 'quote'), 'blockquote'));

function readMessage(value: unknown, at: string, user: string | undefined, out: Out, add: (turn: FoundTurn) => void) {
  const read = messageSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it does not tell whom it is from');
  const { displayName, originalarrivaltime: time, messagetype: type, content, from } = read.data;
  const words = toWords(content ?? '');
  const isMedia = /^RichText\/(?:Media|Uri|Location|Contacts)/u.test(type ?? '');
  if (!SAID.test(type ?? 'RichText')) return out.leftOut(isMedia ? 'media' : 'system message', at, words);
  if (words === '') return out.leftOut('empty message', at, '');
  const whole = toHtmlText(content ?? '');
  if (whole !== words) out.leftOut('quotation of another message', at, whole);
  const isMine = user !== undefined && toAccount(from) === toAccount(user);
  add({
    speaker: displayName || toAccount(from),
    role: isMine ? 'user' : 'participant',
    text: words,
    ...fromIso(time),
  });
}

/** Reads message by message; what begins a conversation stands above its messages, the newest of which comes first. */
function createConversations(out: Out): Sink {
  const turns = createNewestFirst(out);
  let user: string | undefined;
  let open: number | undefined;
  let head: { id?: string; title?: string } = {};
  const flush = (): void => {
    if (open === undefined) return;
    out.conversation(head);
    turns.flush();
    head = {};
  };
  return createJsonSink(
    ['$.userId', '$.conversations.*.id', '$.conversations.*.displayName', '$.conversations.*.MessageList.*'],
    ({ value, path }) => {
      if (path[0] === 'userId') {
        user = asText(value);
        return;
      }
      const [, index, key, number] = path;
      if (index !== open) flush();
      open = Number(index);
      if (key === 'id') head = { ...head, id: `skype-${asText(value) ?? index}`.slice(0, 200) };
      else if (key === 'displayName') head = { ...head, ...(asText(value) && { title: asText(value) ?? '' }) };
      else readMessage(value, `conversation ${Number(index) + 1}, message ${Number(number) + 1}`, user, out, turns.add);
    },
    flush,
  );
}

const isConversation = (one: unknown): boolean => isRecord(one) && Array.isArray(one['MessageList']);

/** The download of one's data of Skype, and of Teams for private accounts: `messages.json`. */
export const skype: Reader = {
  name: 'skype',
  title: 'Skype or Teams export',
  detect: ({ json }) =>
    isRecord(json) && Array.isArray(json['conversations']) && json['conversations'].some(isConversation),
  read: createConversations,
};
