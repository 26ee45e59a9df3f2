import { z } from 'zod';
import { asText, fromIso } from '../json/json-values.ts';
import type { FoundTurn, Out, Reader } from '../reader.ts';
import { createJsonLineSink } from '../sinks/json-line-sink.ts';
import { fromInstant, toHour, toWall } from '../text/wall-time.ts';

const lineSchema = z.looseObject({
  name: z.string().nullish(),
  is_user: z.boolean().nullish(),
  is_system: z.boolean().nullish(),
  send_date: z.union([z.string(), z.number()]).nullish(),
  mes: z.string(),
});

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** `2023-5-12 @14h 3m 22s 123ms` and `2023-5-12@14h03m22s`. */
const STAMP = /^(\d{4})-(\d{1,2})-(\d{1,2})\s?@\s?(\d{1,2})h\s?(\d{1,2})m\s?(\d{1,2})s/u;
/** `May 12, 2023 2:03pm`. */
const WORDED = /^([a-z]{3})[a-z]* (\d{1,2}),? (\d{4}) (\d{1,2}):(\d{2})(?::(\d{2}))?\s?([ap])?/iu;

function toTime(value: string | number | null | undefined): Pick<FoundTurn, 'at' | 'wall'> {
  if (typeof value === 'number') return { at: fromInstant(value, undefined) };
  const text = value ?? '';
  if (/^\d{13}$/u.test(text)) return { at: fromInstant(Number(text), undefined) };
  const stamp = STAMP.exec(text);
  if (stamp !== null) {
    const [year = 0, month = 0, day = 0, hour, minute, second] = stamp.slice(1).map(Number);
    return {
      wall: toWall({
        year,
        month,
        day,
        ...(hour !== undefined && { hour }),
        ...(minute !== undefined && { minute }),
        ...(second !== undefined && { second }),
      }),
    };
  }
  const worded = WORDED.exec(text);
  if (worded === null) return fromIso(text);
  const [, name = '', day, year, hour, minute, second = '0', half] = worded;
  const month = MONTHS.indexOf(name.toLowerCase()) + 1;
  return {
    wall: toWall({
      year: Number(year),
      month,
      day: Number(day),
      hour: toHour(Number(hour), half),
      minute: Number(minute),
      second: Number(second),
    }),
  };
}

function readLine(value: Readonly<Record<string, unknown>>, at: string, out: Out) {
  if ('chat_metadata' in value || ('user_name' in value && !('mes' in value))) {
    const named = asText(value['character_name']);
    // Newer versions no longer tell here.
    const character = named === 'unused' ? undefined : named;
    const created = asText(value['create_date']);
    const id = character === undefined || created === undefined ? undefined : `sillytavern-${character}-${created}`;
    return out.conversation({ id: id?.slice(0, 200), title: character });
  }
  const read = lineSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it has no "mes"');
  const { name, is_user: isUser, is_system: isSystem, send_date: sent, mes } = read.data;
  if (isSystem === true) return out.leftOut('system message', at, mes);
  const role = isUser === true ? 'user' : 'assistant';
  out.turn({ speaker: name ?? undefined, role, text: mes, ...toTime(sent) });
}

/** A chat of SillyTavern: a line about the chat, then a message a line. */
export const sillytavern: Reader = {
  name: 'sillytavern',
  title: 'SillyTavern chat',
  detect: ({ jsonLines = [] }) => jsonLines.some((line) => 'mes' in line && 'is_user' in line),
  read: (out) => createJsonLineSink((value, at) => readLine(value, at, out), out),
};
