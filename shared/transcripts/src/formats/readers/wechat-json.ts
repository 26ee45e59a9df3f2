import { pick, readRow, toRow } from '../chat-row.ts';
import { asText } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createChatGroups } from '../sinks/chat-groups.ts';
import { createJsonSink } from '../sinks/json-sink.ts';
import { toFileTitle } from '../text/file-title.ts';
import { WECHAT } from './chat-csv.ts';
import { toChineseWords } from './chinese-words.ts';

const hasKeys = (value: unknown, ...keys: readonly string[]): boolean =>
  isRecord(value) && keys.every((key) => key in value);

/** A message as chatlog, PyWxDump or WeChatMsg writes it. */
const isMessage = (value: unknown): boolean =>
  hasKeys(value, 'talker', 'sender', 'isSelf') ||
  hasKeys(value, 'type_name', 'is_sender', 'talker') ||
  hasKeys(value, 'IsSender', 'StrContent');

/** What WeFlow and EchoTrace write: `{session, messages}`. */
const isSession = (value: unknown): boolean =>
  isRecord(value) && hasKeys(value['session'], 'wxid') && ('messages' in value || 'weflow' in value);

/** What WeChatDataAnalysis writes: `{schemaVersion, account, conversation, messages}`. */
const isAnalysis = (value: unknown): boolean =>
  isRecord(value) && hasKeys(value, 'exportedAt', 'account') && hasKeys(value['conversation'], 'username', 'isGroup');

function createMessages(out: Out, file: string) {
  const chats = createChatGroups(out);
  const add = (value: unknown, at: string) => {
    if (!isRecord(value)) return out.fault(at, 'a message must be an object');
    const row = toRow(value);
    const own = (WECHAT.chat ?? []).map((key) => row[key] ?? '').find((one) => one !== '') ?? '';
    const chat = own === '' ? out : chats.of({ id: `wechat-${own}`.slice(0, 200), title: own });
    // Neither sent nor received: the program says it.
    if (value['isSend'] === null || row['sender'] === '系统消息')
      return out.leftOut('system message', at, pick(row, WECHAT.text));
    readRow(row, { columns: WECHAT, at, other: toFileTitle(file), toWords: toChineseWords }, chat);
  };
  return { add, flush: chats.flush };
}

function beginSession(value: unknown, out: Out) {
  const session = isRecord(value) ? value : {};
  const title = asText(session['displayName']) || asText(session['remark']) || asText(session['nickname']);
  const id = asText(session['wxid']) || asText(session['username']);
  out.conversation({
    ...(id !== undefined && id !== '' && { id: `wechat-${id}`.slice(0, 200) }),
    title: title || undefined,
  });
}

/** JSON of the usual exporters of WeChat: chatlog, PyWxDump, WeFlow, EchoTrace, WeChatDataAnalysis. */
export const wechatJson: Reader = {
  name: 'wechat-json',
  title: 'WeChat chat (JSON)',
  detect: ({ json }) => (Array.isArray(json) ? json.some(isMessage) : isSession(json) || isAnalysis(json)),
  read: (out, { file, sample: { json } }) => {
    const { add, flush } = createMessages(out, file);
    if (Array.isArray(json))
      return createJsonSink(['$.*'], ({ value, path }) => add(value, `message ${Number(path[0]) + 1}`), flush);
    return createJsonSink(
      ['$.session', '$.conversation', '$.messages.*'],
      ({ value, path }) =>
        path[0] === 'messages' ? add(value, `message ${Number(path[1]) + 1}`) : beginSession(value, out),
      flush,
    );
  },
};
