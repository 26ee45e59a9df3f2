import { z } from 'zod';
import { fromIso } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { FoundTurn, Out, Reader, ReaderOptions, Sample } from '../reader.ts';
import { createCsvSink } from '../sinks/csv-sink.ts';
import { createJsonSink } from '../sinks/json-sink.ts';
import { createNewestFirst } from '../sinks/newest-first.ts';

const messageSchema = z.looseObject({
  ID: z.union([z.string(), z.number()]).transform(String),
  Timestamp: z.string(),
  Contents: z.string().default(''),
});
const HEADER = /^\uFEFF?ID,Timestamp,Contents,Attachments\s*$/u;

/** A file of the package with messages of a channel, and the channel's number. */
const MESSAGES = /(?:^|[/\\])c?(\d{15,20})[/\\]messages\.(?:json|csv)$/u;

/** Whether a file is one of the package's with messages of a channel. */
export function isPackageMessages(path: string): boolean {
  return MESSAGES.test(path);
}

/** The names of the channels by their numbers, of the package's `index.json`; empty when the value is none. */
export function readChannels(value: unknown): ReadonlyMap<string, string> {
  const names = z.record(z.string(), z.string().nullable()).safeParse(value);
  if (!names.success) return new Map();
  return new Map(Object.entries(names.data).flatMap(([id, name]) => (name === null ? [] : [[id, name] as const])));
}

/** Times are those of UTC; the tables say so, the lists do not. */
function toTime(text: string): Pick<FoundTurn, 'at'> | undefined {
  const { at, wall } = fromIso(text);
  const time = at ?? (wall === undefined ? undefined : `${wall}Z`);
  return time === undefined ? undefined : { at: time };
}

function readMessage(value: unknown, at: string, out: Out, add: (turn: FoundTurn) => void) {
  const read = messageSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it has no "ID" or no "Timestamp"');
  const { ID: id, Timestamp: timestamp, Contents: contents } = read.data;
  const time = toTime(timestamp);
  if (time === undefined) return out.fault(at, 'there is no such date or time');
  if (contents.trim() === '') return out.leftOut('media', at, '');
  add({ id, role: 'user', text: contents, ...time });
}

function createChannel(out: Out, { file, names, sample: { json } }: ReaderOptions) {
  const channel = MESSAGES.exec(file)?.[1];
  const title = channel === undefined ? undefined : names?.get(channel);
  out.conversation({ ...(channel !== undefined && { id: `discord-${channel}-own` }), title: title ?? channel });
  const turns = createNewestFirst(out);
  const take = (value: unknown, at: string) => readMessage(value, at, out, turns.add);
  if (json === undefined)
    return createCsvSink(take, { onFault: (at, reason) => out.fault(at, reason), onEnd: turns.flush });
  return createJsonSink(['$.*'], ({ value, path }) => take(value, `message ${Number(path[0]) + 1}`), turns.flush);
}

const isMessage = (value: unknown): boolean =>
  isRecord(value) && ['ID', 'Timestamp', 'Contents'].every((key) => key in value);
const isPackage = ({ json, lines }: Sample): boolean =>
  Array.isArray(json) ? json.some(isMessage) : json === undefined && HEADER.test(lines[0] ?? '');

/** The messages in the package of one's data that Discord sends: what the user wrote, and nobody else. */
export const discordPackage: Reader = {
  name: 'discord-package',
  title: 'Discord data package (own messages)',
  detect: isPackage,
  read: createChannel,
};
