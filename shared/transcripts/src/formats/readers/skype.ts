import { z } from 'zod';
import { asText, fromIso } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { FoundTurn, Out, Reader, Sink } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';
import { createNewestFirst } from '../sinks/newest-first.ts';
import { toHtmlText } from '../text/html-text.ts';

const text = z.string().nullish();
const key = z.union([z.string(), z.number()]).nullish();
const messageSchema = z.looseObject({
  displayName: text,
  originalarrivaltime: text,
  messagetype: text,
  content: text,
  id: key,
  clientmessageid: key,
  skypeeditedid: key,
  properties: z.looseObject({ deletetime: key }).nullish().catch(undefined),
  from: z.string(),
});

/** What somebody said, what others call it, and which earlier words it takes the place of. */
interface Said {
  readonly turn: FoundTurn;
  readonly at: string;
  readonly keys: readonly string[];
  readonly edits: string | undefined;
}

/** What Skype puts before words that take the place of others, for programs that know no edits. */
const EDITED = /^Edited previous message: /u;

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

/** Words as they were last put, in the place where they were first said; an edit of what is not there stands for itself. */
function settle(said: readonly Said[], out: Out): readonly FoundTurn[] {
  const first = said.filter(({ edits }) => edits === undefined);
  const byKey = new Map(first.flatMap((one) => one.keys.map((name) => [name, one] as const)));
  const timeOf = ({ turn: { at = '', wall = '' } }: Said): string => at || wall;
  const last = new Map<Said, Said>();
  for (const one of said) {
    const target = one.edits === undefined ? undefined : byKey.get(one.edits);
    if (target === undefined) continue;
    const before = last.get(target) ?? target;
    const [earlier, later] = timeOf(before) > timeOf(one) ? [one, before] : [before, one];
    last.set(target, later);
    out.leftOut('earlier version of a message', earlier.at, earlier.turn.text);
  }
  return said.flatMap((one) => {
    if (one.edits !== undefined && byKey.has(one.edits)) return [];
    const text = (last.get(one) ?? one).turn.text;
    return text === '' ? [] : [{ ...one.turn, text }];
  });
}

function readMessage(value: unknown, at: string, user: string | undefined, out: Out, add: (said: Said) => void) {
  if (value === null) return out.leftOut('empty message', at, '');
  const read = messageSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it does not tell whom it is from');
  const { displayName, originalarrivaltime: time, messagetype: type, content, from, properties } = read.data;
  const { id, clientmessageid, skypeeditedid: edited } = read.data;
  const isEdit = edited != null || (content ?? '').includes('<e_m');
  const words = isEdit ? toWords(content ?? '').replace(EDITED, '') : toWords(content ?? '');
  const isMedia = /^RichText\/(?:Media|Uri|Location|Contacts)/u.test(type ?? '');
  if (!SAID.test(type ?? 'RichText')) return out.leftOut(isMedia ? 'media' : 'system message', at, words);
  if (properties?.deletetime != null) return out.leftOut('deleted message', at, words);
  if (words === '' && edited == null) return out.leftOut('empty message', at, '');
  const whole = toHtmlText(content ?? '');
  if (whole !== words && !isEdit) out.leftOut('quotation of another message', at, whole);
  const isMine = user !== undefined && toAccount(from) === toAccount(user);
  const turn = { speaker: displayName || toAccount(from), text: words, ...fromIso(time) };
  add({
    turn: { ...turn, role: isMine ? 'user' : 'participant' },
    at,
    keys: [id, clientmessageid].filter((one) => one != null).map(String),
    edits: edited == null || String(edited) === String(id) ? undefined : String(edited),
  });
}

/** Reads message by message; what begins a conversation stands above its messages, the newest of which comes first. */
function createConversations(out: Out): Sink {
  const turns = createNewestFirst(out);
  let said: Said[] = [];
  let user: string | undefined;
  let open: number | undefined;
  let head: { id?: string; title?: string } = {};
  const flush = (): void => {
    if (open === undefined) return;
    out.conversation(head);
    for (const turn of settle(said, out)) turns.add(turn);
    turns.flush();
    said = [];
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
      else
        readMessage(value, `conversation ${Number(index) + 1}, message ${Number(number) + 1}`, user, out, (one) =>
          said.push(one),
        );
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
