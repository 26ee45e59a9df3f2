import type { Reader } from '../reader.ts';
import { createHeadedLineSink, type HeadedLine } from '../sinks/headed-lines.ts';
import { toHour, toWall } from '../text/wall-time.ts';

/** `2024/03/05(Tue)`, `2024.03.05 星期二`, `Tue, 3/5/2024`. */
const DAY =
  /^(?:[^\d\t]{2,12}, ?)?(?:(?<year>\d{4})[./](?<month>\d{1,2})[./](?<day>\d{1,2})|(?<month2>\d{1,2})\/(?<day2>\d{1,2})\/(?<year2>\d{4}))(?:\s?[(（]?[^\d\t]{1,12}[)）]?)?$/u;
const SAID =
  /^(?<half>上午|下午|午前|午後|오전|오후)?\s?(?<hour>\d{1,2}):(?<minute>\d{2})(?:\s?(?<ap>[AP])M)?\t(?<name>[^\t]{1,100})\t(?<text>.*)$/su;
const NOTICE = /^(?:上午|下午|午前|午後)?\s?\d{1,2}:\d{2}(?:\s?[AP]M)?\t/u;
const HEAD = /^\[LINE\]\s?(?<title>.{1,200})$/u;
const SAVED = /^(?:Saved on|儲存日期|保存日期|保存日時|저장한 날짜)\s?[:：]/u;
const MEDIA =
  /^\[(?:Photo|Sticker|Video|Voice message|File|Location|Contact|圖片|照片|貼圖|影片|語音訊息|檔案|写真|スタンプ|動画|ボイスメッセージ)\]$/u;

function createLineReader(): (line: string) => HeadedLine | undefined {
  let day: { year: number; month: number; day: number } | undefined;
  return (line) => {
    const title = HEAD.exec(line)?.groups?.['title'];
    if (title !== undefined) return { kind: 'conversation', title };
    if (SAVED.test(line)) return { kind: 'nothing' };
    const date = line.length < 60 ? DAY.exec(line)?.groups : undefined;
    if (date !== undefined) {
      const { year, month, day: own, year2, month2, day2 } = date;
      day = { year: Number(year ?? year2), month: Number(month ?? month2), day: Number(own ?? day2) };
      return { kind: 'left out', what: 'line with a date' };
    }
    const said = SAID.exec(line)?.groups;
    if (said === undefined) return NOTICE.test(line) ? { kind: 'left out', what: 'system message' } : undefined;
    const { half, hour, minute, ap, name, text } = said;
    const time = { hour: toHour(Number(hour), half ?? ap), minute: Number(minute) };
    const wall = day === undefined ? undefined : toWall({ ...day, ...time });
    if (day !== undefined && wall === undefined) return { kind: 'fault', reason: 'there is no such date or time' };
    return { kind: 'head', turn: { speaker: name, role: 'participant', wall }, text: text ?? '' };
  };
}

/** A message of several lines stands between quotation marks. */
function toWords(text: string) {
  const plain = /^".*\n.*"$/su.test(text) ? text.slice(1, -1) : text;
  if (plain === '') return { leftOut: 'empty message' };
  return MEDIA.test(plain) ? { leftOut: 'media' } : { text: plain };
}

/** The text that LINE saves of a chat. */
export const line: Reader = {
  name: 'line',
  title: 'LINE chat',
  detect: ({ lines }) => {
    const said = lines.filter((one) => one.length < 2_000 && SAID.test(one)).length;
    return said > 0 && (lines.some((one) => HEAD.test(one)) || lines.some((one) => one.length < 60 && DAY.test(one)));
  },
  read: (out) => createHeadedLineSink({ readLine: createLineReader(), toWords }, out),
};
