import { z } from 'zod';
import { fromIso } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { FoundTurn, Out, Reader } from '../reader.ts';
import { createJsonSink } from '../sinks/json-sink.ts';
import { toHour, toWall } from '../text/wall-time.ts';

const messageSchema = z.looseObject({
  creator: z.looseObject({ name: z.string().nullish(), email: z.string().nullish() }).nullish(),
  created_date: z.string().nullish(),
  text: z.string().nullish(),
  message_id: z.string().nullish(),
  message_state: z.string().nullish(),
});

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** `Tuesday, March 5, 2024 at 9:00:00 AM UTC` and `Tuesday, 5 March 2024 at 09:00:00 UTC`. */
const TIME =
  /^(?:\p{L}{2,12},? )?(?:(\p{L}{3})\p{L}{0,8} (\d{1,2})|(\d{1,2}) (\p{L}{3})\p{L}{0,8}),? (\d{4}),?(?: at)? (\d{1,2}):(\d{2}):(\d{2})(?: ?([AP])M)? UTC$/u;

/** The key under which the name that the user has is handed on. */
const OWN = 'google-chat user';

function toTime(text: string | null | undefined): Pick<FoundTurn, 'at' | 'wall'> {
  if (text == null || text.length > 80) return {};
  const [, first, day, otherDay, other, year, hour, minute, second, half] =
    TIME.exec(text.replace(/[\u00a0\u202f]/gu, ' ')) ?? [];
  const wall = toWall({
    year: Number(year),
    month: MONTHS.indexOf((first ?? other ?? '').toLowerCase()) + 1,
    day: Number(day ?? otherDay),
    hour: toHour(Number(hour), half),
    minute: Number(minute),
    second: Number(second),
  });
  return wall === undefined ? fromIso(text) : { at: `${wall}Z` };
}

function readMessage(value: unknown, at: string, own: string | undefined, out: Out) {
  const read = messageSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it is no message');
  const { creator, created_date: created, text, message_id: id, message_state: state } = read.data;
  if (state === 'DELETED') return out.leftOut('deleted message', at, text ?? '');
  if ((text ?? '').trim() === '') return out.leftOut('media', at, '');
  const isMine = own !== undefined && creator?.email?.toLowerCase() === own;
  const speaker = creator?.name || creator?.email || undefined;
  out.turn({
    ...(id != null && { id }),
    speaker,
    role: isMine ? 'user' : 'participant',
    text: text ?? '',
    ...toTime(created),
  });
}

const isMessage = (one: unknown): boolean =>
  isRecord(one) && 'created_date' in one && (isRecord(one['creator']) || 'topic_id' in one);

/** The account of the user, of `Users/User …/user_info.json`. */
export function readGoogleUser(json: unknown): readonly (readonly [string, string])[] {
  const user = isRecord(json) ? json['user'] : undefined;
  const email = isRecord(user) ? user['email'] : undefined;
  return typeof email === 'string' ? [[OWN, email.toLowerCase()]] : [];
}

/** Google Chat in a Google Takeout: `Groups/DM …/messages.json`. */
export const googleChat: Reader = {
  name: 'google-chat',
  title: 'Google Chat (Google Takeout)',
  detect: ({ json }) => isRecord(json) && Array.isArray(json['messages']) && json['messages'].some(isMessage),
  read: (out, { file, names }) => {
    const folder = /(?:^|[/\\])((?:DM|Space|Group)[^/\\]{1,150})[/\\][^/\\]*$/iu.exec(file)?.[1];
    out.conversation(folder === undefined ? {} : { id: `google-chat-${folder}`, title: folder });
    return createJsonSink(['$.messages.*'], ({ value, path }) =>
      readMessage(value, `message ${Number(path[1]) + 1}`, names?.get(OWN), out),
    );
  },
};
