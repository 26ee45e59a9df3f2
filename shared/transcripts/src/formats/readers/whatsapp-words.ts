import { findWhatsappFile, findWhatsappNotice } from '../templates/whatsapp.ts';
import { ATTACHED_WORDS, EDITED } from '../templates/whatsapp-marks.ts';
import type { LeftOutPart, Words } from '../words.ts';
import { MARKS } from './whatsapp-stamp.ts';

/** The mark of direction with which iOS begins what it writes itself. */
const OWN_MARK = '\u200e';
/** `\u200e<attached: x.jpg>`; without the mark the word has to be one that WhatsApp writes. */
const ATTACHED = new RegExp(
  String.raw`(?:\u200e<[^<>:：\n]{2,30}[:：]|<(?:${ATTACHED_WORDS.join('|')})\s?[:：])\s?[^<>\n]{1,150}\.\w{2,5}>`,
  'gu',
);
/** `\u200e<This message was edited>` at the end of words. */
const CHANGED = /\s?\u200e<[^<>\n]{3,60}>$/u;

/** Words without the mark that they were changed. */
function withoutEdit(text: string): string {
  const mark = EDITED.find((one) => text.endsWith(one));
  return mark === undefined ? text.replace(CHANGED, '') : text.slice(0, -mark.length).replace(/\s?\u200e?$/u, '');
}

/** The words of a message: media, calls, deleted messages and notices have none, and lines of the program are taken out. */
export function toWhatsappWords(raw: string): Words {
  const leftOut: LeftOutPart[] = [];
  const lines = withoutEdit(raw).split('\n');
  const kept = lines.flatMap((line) => {
    const words = line.replace(ATTACHED, (file) => {
      leftOut.push({ what: 'media', text: file.replace(MARKS, '') });
      return '';
    });
    const plain = words.replace(MARKS, '');
    const isFile = findWhatsappFile(plain.trim()) !== undefined;
    if (!isFile && !words.startsWith(OWN_MARK)) return [plain];
    leftOut.push({ what: isFile ? 'media' : 'media or system message', text: plain });
    return [];
  });
  const text = kept.join('\n').trim();
  const reason = findWhatsappNotice(text);
  if (reason === undefined) return { text, leftOut };
  return { text: '', leftOut: [...leftOut, { what: reason, text }] };
}
