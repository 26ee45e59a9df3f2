import type { Out, Reader, Sink } from '../reader.ts';
import { createLineSink } from '../sinks/line-sink.ts';
import { isPage } from '../text/document.ts';
import { readMail } from '../text/mail.ts';

const BEGIN = /^From \S.{0,200}\d{4}/u;
const HEADER = /^[A-Za-z][A-Za-z0-9-]{1,60}:(?:\s|$)/u;
/** So much of a mail is read, in characters: attachments stand at its end. */
const MAX_MAIL = 4 * 1024 * 1024;

/** Cuts a mailbox into mails; each is one conversation, known by its Message-ID. */
function createMails(out: Out): Sink {
  let lines: string[] = [];
  let length = 0;
  let isAfterBlank = true;
  let first = 1;
  const flush = () => {
    if (lines.some((line) => line.trim() !== '')) readMail(lines, `line ${first}`, out);
    [lines, length] = [[], 0];
  };
  return createLineSink((line, number) => {
    if (isAfterBlank && BEGIN.test(line)) {
      flush();
      first = number;
      isAfterBlank = false;
      return;
    }
    isAfterBlank = line === '';
    length += line.length + 1;
    if (length <= MAX_MAIL) lines.push(line.replace(/^>(?=>*From )/u, ''));
  }, flush);
}

/** Whether lines are the headers of a mail. */
function areHeaders(lines: readonly string[]): boolean {
  const end = lines.findIndex((line) => line.trim() === '');
  const head = lines.slice(0, end < 0 ? 200 : end).filter((line) => !/^\s/u.test(line));
  const names = new Set(head.map((line) => line.slice(0, line.indexOf(':')).toLowerCase()));
  const isSent = names.has('date') && (names.has('received') || names.has('subject'));
  const isMail = names.has('from') && (names.has('message-id') || names.has('mime-version') || isSent);
  return isMail && head.every((line) => HEADER.test(line));
}

/** Mails: an mbox, as of Google Takeout and Thunderbird, or one mail alone. */
export const mbox: Reader = {
  name: 'mbox',
  title: 'mails (mbox)',
  detect: ({ lines }) => {
    const at = lines.findIndex((line) => line.trim() !== '');
    // A web archive has the headers of a mail.
    return !isPage(lines[at] ?? '') && areHeaders(lines.slice(BEGIN.test(lines[at] ?? '') ? at + 1 : at).slice(0, 300));
  },
  read: createMails,
};
