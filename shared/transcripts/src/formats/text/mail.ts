import libmime from 'libmime';
import type { FoundTurn, Out } from '../reader.ts';
import { MAIL_SIGNATURES } from '../templates/programs.ts';
import type { Words } from '../words.ts';
import { toHtmlText } from './html-text.ts';
import { toWall } from './wall-time.ts';

/** The first value of each header, by its name in lower case. */
type Headers = ReadonlyMap<string, string>;

/** A mail, or a part of one. */
interface Part {
  readonly headers: Headers;
  readonly body: readonly string[];
}

/** Parts in parts beyond this depth are not looked at. */
const MAX_DEPTH = 8;

function toPart(lines: readonly string[]): Part {
  const end = lines.indexOf('');
  const headers = new Map<string, string>();
  let name = '';
  for (const line of end < 0 ? lines : lines.slice(0, end)) {
    const at = line.indexOf(':');
    if (/^[ \t]/u.test(line)) headers.set(name, `${headers.get(name) ?? ''} ${line.trim()}`);
    else if (at > 0) {
      name = line.slice(0, at).toLowerCase();
      if (!headers.has(name)) headers.set(name, line.slice(at + 1).trim());
    }
  }
  return { headers, body: end < 0 ? [] : lines.slice(end + 1) };
}

function toBytes(body: readonly string[], encoding: string): Buffer {
  if (encoding === 'base64') return Buffer.from(body.join(''), 'base64');
  const text = body
    .join('\n')
    .replace(/[ \t]*=\n/gu, '')
    .replace(/=([0-9A-F]{2})/giu, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(text, 'latin1');
}

function decode({ headers, body }: Part, charset: string | undefined): string {
  const encoding = (headers.get('content-transfer-encoding') ?? '').toLowerCase();
  // Other text came out of the file as it is.
  if (encoding !== 'base64' && encoding !== 'quoted-printable') return body.join('\n');
  const bytes = toBytes(body, encoding);
  try {
    return new TextDecoder(charset ?? 'utf-8').decode(bytes);
  } catch (error) {
    // The mail names an encoding that nobody knows.
    if (error instanceof RangeError) return new TextDecoder().decode(bytes);
    throw error;
  }
}

/** Cuts a body at the lines that part it. */
function splitParts(body: readonly string[], boundary: string): readonly Part[] {
  const parts: string[][] = [];
  for (const line of body) {
    const isMark = line.startsWith(`--${boundary}`);
    if (isMark && line.startsWith(`--${boundary}--`)) break;
    if (isMark) parts.push([]);
    else parts.at(-1)?.push(line);
  }
  return parts.map(toPart);
}

/** The words of a mail: its plain text, else its page as text; undefined when it has neither. */
function findText(part: Part, type: 'text/plain' | 'text/html', depth = 0): string | undefined {
  const { value, params } = libmime.parseHeaderValue(part.headers.get('content-type') ?? 'text/plain');
  const kind = value.toLowerCase();
  const boundary = params['boundary'];
  if (kind.startsWith('multipart/') && boundary !== undefined && depth < MAX_DEPTH) {
    for (const one of splitParts(part.body, boundary)) {
      const found = findText(one, type, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const isAttached = /^attachment/iu.test(part.headers.get('content-disposition') ?? '');
  return kind === type && !isAttached ? decode(part, params['charset']) : undefined;
}

const WROTE =
  /^(?:On .{4,200} wrote:|Am .{4,200} schrieb .{1,100}:|Le .{4,200} a écrit\s?:|El .{4,200} escribió:|Il .{4,200} ha scritto:|Em .{4,200} escreveu:|Op .{4,200} schreef .{1,100}:|在.{4,200}写道[:：]|.{1,100}于.{4,60}写道[:：])$/u;
const ORIGINAL = /^-{2,}\s?(?:Original Message|Forwarded message|原始邮件|Ursprüngliche Nachricht)\s?-{2,}$/iu;

/** The headers with which Outlook and programs like it begin the mail that is answered. */
const HEADERS_BEGIN = /^\s*\*?(?:From|发件人|寄件者|寄件人|Von|De|Da|Van|Från|差出人|보낸 사람)\s?[:：]\*?\s?\S/u;
const HEADERS_NEXT =
  /^\s*\*?(?:Sent|Date|To|Subject|发送时间|发送日期|收件人|主题|寄件日期|收件者|主旨|Gesendet|An|Datum|Envoyé|À|Enviado(?: el)?|Para|Inviato|A|Verzonden|Aan|Skickat|Till|送信日時|宛先|보낸 날짜|받는 사람)\s?[:：]\*?\s?\S/u;
const MAX_LINE = 300;
/** A line that a program writes above what it quotes tells an address or a time of the clock. */
const TELLS_WHEN = /<[^<>\s]{3,80}@[^<>\s]{3,80}>|\d{1,2}[:.]\d{2}|\d{4}[-/年.]/u;

/** How many lines from here on tell whose words are quoted below: 0 when it is no such place. */
function countAttribution(lines: readonly string[], at: number): number {
  const [line = '', next = ''] = lines.slice(at, at + 2).map((one) => one.slice(0, MAX_LINE).trimEnd());
  const isQuoted = (from: number): boolean => lines.slice(from, from + 2).some((one) => one.startsWith('>'));
  if (ORIGINAL.test(line) || (WROTE.test(line) && (TELLS_WHEN.test(line) || isQuoted(at + 1)))) return 1;
  // Lines of mails are cut at 78 characters: `On Mon, Mar 4, 2024 at 9:00 AM Ben <ben@example.org>⏎wrote:`.
  const isCut = /^(?:On|Am|Le|El|Il|Em|Op) \S.*\d/u.test(line) && next.length < 80 && WROTE.test(`${line} ${next}`);
  return isCut && (TELLS_WHEN.test(`${line} ${next}`) || isQuoted(at + 2)) ? 2 : 0;
}

/** Whether the headers of another mail begin here, as Outlook writes them; `From: where? To: the beach` are words. */
function areHeaders(lines: readonly string[], at: number): boolean {
  const [line = '', next = '', third = ''] = lines.slice(at, at + 3).map((one) => one.slice(0, MAX_LINE));
  return HEADERS_BEGIN.test(line) && HEADERS_NEXT.test(next) && HEADERS_NEXT.test(third);
}

/** Where the words end: at a signature (`-- `, or what phones write), and at the headers of another mail with the rule above them. */
function findEnd(lines: readonly string[]): number {
  const end = lines.findIndex((line, at) => {
    if (
      line === '-- ' ||
      MAIL_SIGNATURES.has(
        line
          .slice(0, MAX_LINE)
          .trim()
          .replace(/ ?<[^<>]*>$/u, ''),
      )
    )
      return true;
    return areHeaders(lines, at) || (/^_{20,}$/u.test(line.trimEnd()) && areHeaders(lines, at + 1));
  });
  return end < 0 ? lines.length : end;
}

/** The own words of a mail, without what it quotes of others, and without its signature. @param isAnswer whether its headers say so */
function toOwnWords(text: string, isAnswer: boolean): Words {
  const lines = text.replace(/\r/gu, '').split('\n');
  const own: string[] = [];
  const quoted: string[] = [];
  const end = findEnd(lines);
  // Marks of quotations are such where something is quoted.
  const isQuoting = isAnswer || lines.some((_line, at) => countAttribution(lines, at) > 0);
  let at = 0;
  while (at < end) {
    const line = lines[at] ?? '';
    const count = countAttribution(lines, at);
    const next = lines.slice(at + count, at + count + 3).find((one) => one.trim() !== '') ?? '';
    // What is quoted without marks goes on to the end.
    if (count > 0 && !next.startsWith('>')) break;
    if (count > 0) quoted.push(...lines.slice(at, at + count));
    else (isQuoting && line.startsWith('>') ? quoted : own).push(line);
    at += Math.max(1, count);
  }
  quoted.push(...lines.slice(at));
  const leftOut = quoted.join('\n').trim();
  const words = own
    .join('\n')
    .replace(/\n{3,}/gu, '\n\n')
    .trim();
  return { text: words, leftOut: leftOut === '' ? [] : [{ what: 'quotation or signature of a mail', text: leftOut }] };
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** RFC 5322: `Fri, 17 Jan 2025 10:30:00 +0900 (JST)`. */
const DATE = /^(?:[A-Z][a-z]{2},\s+)?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2})(?::(\d{2}))?\s*([+-]\d{4})?/iu;

function toTime(date: string | undefined): Pick<FoundTurn, 'at' | 'wall'> {
  const [, day, month = '', year, hour, minute, second = '0', offset] = DATE.exec(date ?? '') ?? [];
  const wall = toWall({
    year: Number(year),
    month: MONTHS.indexOf(month.toLowerCase()) + 1,
    day: Number(day),
    hour: Number(hour),
    minute: Number(minute),
    second: Number(second),
  });
  if (wall === undefined) return {};
  return { at: offset === undefined ? `${wall}Z` : `${wall}${offset.slice(0, 3)}:${offset.slice(3)}` };
}

/** The name of a sender, or its address. */
function toSender(from: string): string {
  const [, name = '', address = ''] = /^\s*("[^"]*"|[^<]*)<([^<>]*)>/u.exec(from) ?? [];
  const plain = libmime.decodeWords(name.trim().replace(/^"|"$/gu, '')).trim();
  return plain !== '' ? plain : (address || libmime.decodeWords(from)).trim();
}

/** Reads one mail: its subject and its own words are one turn of its sender. */
export function readMail(lines: readonly string[], at: string, out: Out) {
  const mail = toPart(lines);
  const from = mail.headers.get('from');
  if (from === undefined) return out.fault(at, 'it is a mail without a sender');
  const subject = libmime.decodeWords(mail.headers.get('subject') ?? '').trim();
  const id = mail.headers.get('message-id')?.replace(/[<>\s]/gu, '');
  const page = findText(mail, 'text/plain') === undefined ? findText(mail, 'text/html') : undefined;
  const isAnswer = mail.headers.has('in-reply-to') || mail.headers.has('references');
  const whole = findText(mail, 'text/plain') ?? (page === undefined ? '' : toHtmlText(page));
  const { text: words, leftOut } = toOwnWords(whole, isAnswer);
  for (const part of leftOut) out.leftOut(part.what, at, part.text);
  if (words === '') return out.leftOut('mail without words', at, subject);
  out.conversation({ ...(id !== undefined && { id: `mail-${id}`.slice(0, 200) }), title: subject || undefined });
  const text = subject === '' ? words : `${subject}\n${words}`;
  out.turn({ speaker: toSender(from), role: 'other', text, ...toTime(mail.headers.get('date')) });
}
