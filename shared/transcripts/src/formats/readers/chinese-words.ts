import { findChineseMedia, findChineseNotice } from '../templates/chinese.ts';
import type { LeftOutPart, Words } from '../words.ts';

/** What a message answers, as exporters write it: chatlog above it with the head of the other message, QQChatExporter in brackets. */
const ANSWERED: readonly RegExp[] = [
  /^> [^\n]{1,120} (?:(?:\d{4}-)?\d{2}-\d{2} )?\d{2}:\d{2}:\d{2}\n(?:> [^\n]*\n)+(?=\S)/u,
  /^\[回复 [^\]\n:：]{1,60}: [^\]\n]{0,300}\]\n/u,
];
/** WeChatMsg writes it below: somebody else's words. */
const QUOTED = /\n引用:(?:未知|[^\n:：]{1,60}:[^\n]*)$/u;

/** The words of a message of WeChat or QQ; pictures, voices and notices of the program have none. */
export function toChineseWords(text: string): Words {
  const leftOut: LeftOutPart[] = [];
  const own = [...ANSWERED, QUOTED]
    .reduce(
      (words, quoted) =>
        words.replace(quoted, (quote) => {
          leftOut.push({ what: 'quotation of another message', text: quote.trim() });
          return '';
        }),
      text,
    )
    .trim();
  const isMedia = (line: string): boolean => line.trim() === '' || findChineseMedia(line.trim()) !== undefined;
  if (own === '') return { text: '', leftOut };
  if (own.split('\n').every(isMedia)) return { text: '', leftOut: [...leftOut, { what: 'media', text: own }] };
  const reason = findChineseNotice(own);
  return reason === undefined
    ? { text: own, leftOut }
    : { text: '', leftOut: [...leftOut, { what: reason, text: own }] };
}
