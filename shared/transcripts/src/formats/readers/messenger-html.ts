import type { FoundTurn, Out, Reader, Sink } from '../reader.ts';
import { createHtmlBlocks } from '../sinks/html-blocks.ts';
import { createNewestFirst } from '../sinks/newest-first.ts';
import { findOwnNotice } from '../templates/messengers.ts';
import { toHtmlText } from '../text/html-text.ts';
import { toHour, toWall } from '../text/wall-time.ts';

/** The classes of a box, its head, its words and its time, as they are since 2020. */
const [BOX, HEAD, BODY, TIME] = ['_a6-g', '_a6-h', '_a6-p', '_a6-o'];
const BEGIN = '<div class="';
const MARK = `${BEGIN}pam _3-95 _2ph- ${BOX}`;
const OTHER_MARK = `${BEGIN}_3-95 ${BOX}`;

/** What follows the opening tag with a class, up to the tag with the next one. */
function readPart(block: string, name: string, next: string | undefined): string | undefined {
  const start = block.indexOf(`${name}`);
  const from = start < 0 ? -1 : block.indexOf('>', start);
  if (from < 0) return undefined;
  const until = next === undefined ? -1 : block.indexOf(next, from);
  const end = until < 0 ? block.length : block.lastIndexOf('<', until);
  return block.slice(from + 1, end);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** `Mar 05, 2024 9:00:00 am`, `Mar 5, 2024, 9:00 AM`, `5 Mar 2024, 09:00`, `2024年3月5日 9:00`. */
const DATE =
  /^(?:(\p{L}{3})\p{L}{0,8}\.? (\d{1,2}),? (\d{4})|(\d{1,2})\.? (\p{L}{3})\p{L}{0,8}\.?,? (\d{4})|(\d{4})年(\d{1,2})月(\d{1,2})日),? (?:(上午|下午)\s?)?(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([ap])\.?m\.?)?$/iu;

/** The time by the clock of whoever exported; undefined in a language whose months are not known here. */
function toTime(text: string): string | undefined {
  if (text.length > 60) return undefined;
  const [, first, day, year, otherDay, other, otherYear, chineseYear, chineseMonth, chineseDay, ...clock] =
    DATE.exec(text.replace(/[\u00a0\u202f]/gu, ' ')) ?? [];
  const [half, hour, minute, second, ap] = clock;
  const named = MONTHS.indexOf((first ?? other ?? '').toLowerCase()) + 1;
  return toWall({
    year: Number(year ?? otherYear ?? chineseYear),
    month: chineseMonth === undefined ? named : Number(chineseMonth),
    day: Number(day ?? otherDay ?? chineseDay),
    hour: toHour(Number(hour), half ?? ap),
    minute: Number(minute),
    second: Number(second ?? 0),
  });
}

/** Reactions stand in a list below the words. */
function toWords(body: string): string {
  const list = body.indexOf('<ul class="_a6-q"');
  return toHtmlText(list < 0 ? body : body.slice(0, list));
}

function readMessage(block: string, at: string, out: Out, add: (turn: FoundTurn) => void) {
  const speaker = toHtmlText(readPart(block, HEAD, BODY) ?? '');
  const body = readPart(block, BODY, TIME);
  const time = toHtmlText(readPart(block, TIME, undefined) ?? '').split('\n')[0] ?? '';
  if (body === undefined || speaker === '') return out.leftOut('box without a message', at, toHtmlText(block));
  const wall = toTime(time);
  const text = toWords(body);
  if (wall === undefined) return out.fault(at, `its time cannot be read: ${JSON.stringify(time.slice(0, 60))}`);
  if (text === '') return out.leftOut('media', at, '');
  const notice = findOwnNotice(text, speaker);
  if (notice !== undefined) return out.leftOut(notice, at, text);
  add({ speaker, role: 'participant', text, wall });
}

/** A chat goes over several files in one folder: `message_1.html`, `message_2.html`. */
function createPage(out: Out, file: string, mark: string): Sink {
  const turns = createNewestFirst(out);
  let title: string | undefined;
  return createHtmlBlocks({
    mark,
    name: 'message',
    onBlock: (block, number) => {
      if (number > 0) return readMessage(block, `message ${number}`, out, turns.add);
      const found = /<title>([^<]{1,200})<\/title>/u.exec(block)?.[1];
      title = found === undefined ? undefined : toHtmlText(found);
    },
    onEnd: () => {
      const folder = /(?:^|[/\\])([^/\\]{1,150})[/\\]message_\d{1,4}\.html$/u.exec(file)?.[1];
      out.conversation({ ...(folder !== undefined && { id: `messenger-${folder}` }), title: title ?? folder });
      turns.flush();
    },
  });
}

const toMark = (text: string): string | undefined => [MARK, OTHER_MARK].find((mark) => text.includes(mark));

/** Messenger's and Instagram's download of one's data as pages: `inbox/<chat>/message_1.html`. */
export const messengerHtml: Reader = {
  name: 'messenger-html',
  title: 'Messenger or Instagram chat (HTML)',
  detect: ({ text, file }) =>
    toMark(text) !== undefined &&
    text.includes(BODY) &&
    (text.includes(TIME) || /message_\d{1,4}\.html$/u.test(file)) &&
    text.includes(HEAD),
  read: (out, { file, sample }) => createPage(out, file, toMark(sample.text) ?? MARK),
};
