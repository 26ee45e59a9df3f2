import { fromSeconds } from '../json/json-values.ts';
import type { Out, Reader } from '../reader.ts';
import { createHtmlBlocks } from '../sinks/html-blocks.ts';
import { isPage } from '../text/document.ts';
import { toFileTitle } from '../text/file-title.ts';
import { toHtmlText } from '../text/html-text.ts';
import { putWords } from '../words.ts';
import { toChineseWords } from './chinese-words.ts';

/** Each message of the page is a literal of JavaScript, which begins with this. */
const MARK = '{ type:';
const HEAD = /^\{ type:\s?(\d{1,8}),\s{0,80}(?:sub_type:\s?\d{1,4},\s{0,80})?text:\s?'([^'\\]*(?:\\.[^'\\]*)*)'/su;
const SUB_TYPE = /\bsub_type:\s?(\d{1,4})\b/u;
const NAME = /\bdisplayname:\s?'((?:[^'\\]|\\.){0,400})'/su;
const SENT = /\bis_send:\s?(\d)/u;
const SECONDS = /\btimestamp:\s?(\d{9,11})\b/u;
/** Words, and an answer to a message; 0 is a time or a notice between messages. */
const [WORDS, CARD, ANSWER, NOTICE] = ['1', '49', '57', '0'];
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', r: '', t: '\t' };

const toCharacters = (literal: string): string =>
  toHtmlText(literal.replace(/\\(.)/gsu, (_all, character: string) => ESCAPED[character] ?? character));

function readMessage(block: string, number: number, other: string | undefined, out: Out) {
  const [head = '', type, text = ''] = HEAD.exec(block) ?? [];
  const rest = block.slice(head.length);
  const seconds = SECONDS.exec(rest)?.[1];
  if (type === undefined || seconds === undefined) return out.fault(`message ${number}`, 'it has no text or no time');
  const words = toCharacters(text);
  if (type === NOTICE) return out.leftOut('system message', `message ${number}`, words);
  if (type !== WORDS && !(type === CARD && SUB_TYPE.exec(rest)?.[1] === ANSWER))
    return out.leftOut('media or system message', `message ${number}`, words);
  const isMine = SENT.exec(rest)?.[1] === '1';
  const speaker = toCharacters(NAME.exec(rest)?.[1] ?? '') || other;
  const turn = { speaker, role: isMine ? ('user' as const) : ('participant' as const), at: fromSeconds(seconds) };
  putWords(toChineseWords(words), turn, `message ${number}`, out);
}

/** The page that WeChatMsg (MemoTrace) writes of a chat: its messages stand there as a list in JavaScript. */
export const wechatHtml: Reader = {
  name: 'wechat-html',
  title: 'WeChat chat (page of WeChatMsg)',
  detect: ({ lines, text }) =>
    isPage(lines.find((line) => line.trim() !== '') ?? '') &&
    text.includes(MARK) &&
    SENT.test(text) &&
    text.includes('is_chatroom:'),
  read: (out, { file }) => {
    let other = toFileTitle(file);
    return createHtmlBlocks({
      mark: MARK,
      name: 'message',
      onBlock: (block, number) => {
        if (number > 0) return readMessage(block, number, other, out);
        const title = /<title>([^<]{1,200})<\/title>/u.exec(block)?.[1];
        other = title === undefined ? other : toHtmlText(title);
        out.conversation({ title: other });
      },
    });
  },
};
