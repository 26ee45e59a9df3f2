import { z } from 'zod';
import { fromSeconds } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { Out, Reader } from '../reader.ts';
import { createEditableTurns } from '../sinks/editable-turns.ts';
import { createJsonSink } from '../sinks/json-sink.ts';

const names = z.looseObject({
  real_name: z.string().nullish(),
  display_name: z.string().nullish(),
  name: z.string().nullish(),
});
const messageSchema = z.looseObject({
  type: z.literal('message'),
  subtype: z.string().nullish(),
  user: z.string().nullish(),
  username: z.string().nullish(),
  user_profile: names.nullish(),
  bot_profile: names.nullish(),
  text: z.string().nullish(),
  ts: z.string(),
  deleted_ts: z.string().nullish(),
  message: z.looseObject({ text: z.string().nullish(), ts: z.string() }).nullish(),
});
const userSchema = z.looseObject({
  id: z.string(),
  name: z.string().nullish(),
  real_name: z.string().nullish(),
  profile: names.nullish(),
});
type People = ReadonlyMap<string, string>;
type Turns = ReturnType<typeof createEditableTurns>;

/** The names of the people of a workspace by their ids, of its `users.json`; empty when the value is none. */
export function readSlackPeople(value: unknown): People {
  const users = z.array(userSchema).safeParse(value);
  if (!users.success) return new Map();
  return new Map(
    users.data.map(({ id, name, real_name: real, profile }) => [
      id,
      profile?.display_name || profile?.real_name || real || name || id,
    ]),
  );
}

/** What people say; other subtypes tell of joins, topics and files that come alone. */
const SAID = new Set(['me_message', 'thread_broadcast', 'file_share', 'bot_message']);
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Slack's marks as people see them: `<@U1>` as a name, `<https://…|words>` as words. */
function toPlain(text: string, people: People): string {
  return text
    .replace(
      /<([@#!]?)([^<>|]{1,2000})(?:\|([^<>]{0,2000}))?>/gu,
      (_all, mark: string, target: string, label?: string) => {
        if (mark === '@') return `@${label ?? people.get(target) ?? target}`;
        if (mark === '#') return `#${label ?? target}`;
        if (mark === '!') return `@${label ?? target}`;
        return label === undefined || label === target ? target : `${label} (${target})`;
      },
    )
    .replace(/&(?:amp|lt|gt);/gu, (entity) => ENTITIES[entity] ?? entity);
}

/** Exports of companies have a line for each change: the new words, or the time of what was deleted. */
function readMessage(value: unknown, at: string, people: People, out: Out, turns: Turns) {
  const read = messageSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it is no message of Slack');
  const { subtype, user, username, user_profile: profile, bot_profile: bot, text, ts } = read.data;
  const { deleted_ts: deleted, message: changed } = read.data;
  const target = subtype === 'message_changed' ? changed?.ts : subtype === 'message_deleted' ? deleted : undefined;
  if (target != null) {
    const before = turns.change(
      target,
      subtype === 'message_changed' ? toPlain(changed?.text ?? '', people) : undefined,
    );
    const reason = subtype === 'message_changed' ? 'earlier version of a message' : 'deleted message';
    return out.leftOut(
      before === undefined ? `system message (${subtype})` : reason,
      at,
      before ?? changed?.text ?? '',
    );
  }
  if (subtype != null && !SAID.has(subtype))
    return out.leftOut(`system message (${subtype})`, at, toPlain(text ?? '', people));
  const shown = (user == null ? undefined : people.get(user)) ?? profile?.display_name ?? undefined;
  const speaker = shown || profile?.real_name || username || bot?.name || user || undefined;
  turns.add({ speaker, role: 'participant', text: toPlain(text ?? '', people), at: fromSeconds(ts) }, ts);
}

const isMessage = (value: unknown): boolean =>
  isRecord(value) && value['type'] === 'message' && typeof value['ts'] === 'string' && /^\d+\.\d+$/u.test(value['ts']);

/** The days of a channel in Slack's export: `<channel>/2024-03-05.json`. */
export const slack: Reader = {
  name: 'slack',
  title: 'Slack export',
  detect: ({ json }) => Array.isArray(json) && isMessage(json[0]),
  read: (out, { file, names: people = new Map() }) => {
    const [, channel] = /([^/\\]+)[/\\]\d{4}-\d{2}-\d{2}\.json$/u.exec(file) ?? [];
    out.conversation({ ...(channel !== undefined && { id: `slack-${channel}` }), title: channel });
    const turns = createEditableTurns();
    return createJsonSink(
      ['$.*'],
      ({ value, path }) => readMessage(value, `message ${Number(path[0]) + 1}`, people, out, turns),
      () => {
        for (const turn of turns.take()) out.turn(turn);
      },
    );
  },
};
