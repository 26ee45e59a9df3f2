import { fromInstantText } from '../json/json-values.ts';
import type { Out, Reader, Sink } from '../reader.ts';
import { createChatGroups } from '../sinks/chat-groups.ts';
import { createXmlTags } from '../sinks/xml-tags.ts';

type Attributes = ReadonlyMap<string, string>;

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The application writes an emoji as two numbers, one for each half. */
function decode(text: string): string {
  return text
    .replace(
      /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/giu,
      (all, decimal?: string, hex?: string, name?: string) => {
        if (name !== undefined) return NAMED[name] ?? all;
        const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal);
        return code > 0x10ffff ? '\uFFFD' : code > 0xffff ? String.fromCodePoint(code) : String.fromCharCode(code);
      },
    )
    .replace(/\p{Cs}/gu, '\uFFFD');
}

const ATTRIBUTE = /([\w:]{1,40})=(?:"([^"]*)"|'([^']*)')/gu;

function toAttributes(tag: string): Attributes {
  return new Map(
    [...tag.matchAll(ATTRIBUTE)].map(([, key = '', double, single]) => [key, decode(double ?? single ?? '')]),
  );
}

const isKnown = (text: string | undefined): text is string =>
  text !== undefined && text !== '' && text !== 'null' && text !== '(Unknown)';

/** Where messages of somebody go, and who that is. */
function toChat(own: Attributes): { readonly name: string; readonly id: string } {
  const [name, address] = [own.get('contact_name'), own.get('address') ?? ''];
  const shown = address.replaceAll('~', ', ');
  return { name: isKnown(name) ? name : shown, id: `sms-${address}`.slice(0, 200) };
}

/** Reads messages one by one; a message with pictures has its words in parts below it. */
function createMessages(out: Out): Sink {
  const groups = createChatGroups(out);
  let open: { readonly own: Attributes; readonly texts: string[] } | undefined;
  let number = 0;
  const put = (own: Attributes, kind: string | undefined, text: string) => {
    const time = fromInstantText(own.get('date'));
    if (time.at === undefined) return out.fault(`message ${number}`, 'there is no such date or time');
    if (kind !== '1' && kind !== '2')
      return out.leftOut('draft, or message that was not sent', `message ${number}`, text);
    if (text.trim() === '' || text === 'null') return out.leftOut('media', `message ${number}`, text);
    const { name, id } = toChat(own);
    const who = kind === '2' ? ({ role: 'user' } as const) : ({ speaker: name, role: 'participant' } as const);
    groups.of({ id, title: name }).turn({ ...who, text, ...time });
  };
  const onTag = (tag: string): void => {
    if (/^sms\s/u.test(tag)) {
      number += 1;
      const own = toAttributes(tag);
      put(own, own.get('type'), own.get('body') ?? '');
    } else if (/^mms\s/u.test(tag)) {
      number += 1;
      open = { own: toAttributes(tag), texts: [] };
    } else if (/^part\s/u.test(tag) && open !== undefined) {
      const part = toAttributes(tag.slice(0, tag.indexOf(' data="') < 0 ? undefined : tag.indexOf(' data="')));
      if (part.get('ct') === 'text/plain') open.texts.push(part.get('text') ?? '');
    } else if (tag === '/mms' && open !== undefined) {
      put(open.own, open.own.get('msg_box'), open.texts.join('\n'));
      open = undefined;
    }
  };
  return createXmlTags(onTag, groups.flush);
}

/** What the Android application "SMS Backup & Restore" writes. */
export const smsBackup: Reader = {
  name: 'sms-backup',
  title: 'SMS Backup & Restore',
  detect: ({ text }) => /<smses\b/u.test(text.slice(0, 10_000)) && /<[sm]ms\s/u.test(text),
  read: createMessages,
};
