import { z } from 'zod';
import { fromIso, fromSeconds } from '../json/json-values.ts';
import { isRecord } from '../read.ts';
import type { FoundTurn, Out, Reader, Sink } from '../reader.ts';
import { createHtmlBlocks } from '../sinks/html-blocks.ts';
import { createJsonSink } from '../sinks/json-sink.ts';
import { toHtmlText } from '../text/html-text.ts';
import { toWall } from '../text/wall-time.ts';

const NOTE = "notes are read as their writer's own words";
const text = z.string().nullish();

/** One note is one turn of its writer. */
function addNote(
  out: Out,
  at: string,
  { title, words, ...turn }: Pick<FoundTurn, 'at' | 'wall'> & { title?: string; words: string },
) {
  const said = [title ?? '', words.trim()].filter((one) => one !== '').join('\n');
  if (words.trim() === '') out.leftOut('note without words', at, title ?? '');
  else out.turn({ role: 'user', text: said, ...turn });
}

const entrySchema = z.looseObject({ text, creationDate: text });
/** Day One puts a backslash before what Markdown would take for a mark. */
const BACKSLASH = /\\(?=[-.!()[\]#+_*~>|{}])/gu;

function readEntry(value: unknown, at: string, out: Out) {
  const read = entrySchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it is no entry of Day One');
  const words = (read.data.text ?? '').replace(/!\[\]\(dayone-moment:[^()\s]{1,200}\)/gu, '').replace(BACKSLASH, '');
  addNote(out, at, { words, ...fromIso(read.data.creationDate) });
}

/** The entries of a journal of Day One, `Journal.json` in its archive. */
export const dayOne: Reader = {
  name: 'day-one',
  title: 'Day One journal',
  detect: ({ json }) =>
    isRecord(json) &&
    Array.isArray(json['entries']) &&
    json['entries'].some((entry) => isRecord(entry) && 'creationDate' in entry && 'uuid' in entry),
  read: (out) => {
    out.note(NOTE);
    out.conversation({ title: 'Day One' });
    return createJsonSink(['$.entries.*'], ({ value, path }) => readEntry(value, `entry ${Number(path[1]) + 1}`, out));
  },
};

const keepSchema = z.looseObject({
  title: text,
  textContent: text,
  listContent: z.array(z.looseObject({ text })).nullish(),
  isTrashed: z.boolean().nullish(),
  createdTimestampUsec: z.number().nullish(),
  userEditedTimestampUsec: z.number().nullish(),
});

function readKeep(value: unknown, at: string, out: Out) {
  const read = keepSchema.safeParse(value);
  if (!read.success) return out.fault(at, 'it is no note of Google Keep');
  const {
    title,
    textContent,
    listContent,
    isTrashed,
    createdTimestampUsec: created,
    userEditedTimestampUsec,
  } = read.data;
  if (isTrashed === true) return out.leftOut('deleted note', at, [title, textContent].filter(Boolean).join('\n'));
  out.conversation({ title: title || undefined });
  const words = textContent || (listContent ?? []).map((item) => `- ${item.text ?? ''}`).join('\n');
  const micros = created ?? userEditedTimestampUsec;
  addNote(out, at, { title: title ?? '', words, ...(micros != null && { at: fromSeconds(micros / 1e6) }) });
}

const isKeep = (value: unknown): boolean =>
  isRecord(value) &&
  'isTrashed' in value &&
  'isArchived' in value &&
  ('textContent' in value || 'listContent' in value);

/** Notes of Google Keep, a file each in a Takeout, or a list of them. */
export const googleKeep: Reader = {
  name: 'google-keep',
  title: 'Google Keep notes',
  detect: ({ json }) => (Array.isArray(json) ? json.some(isKeep) : isKeep(json)),
  read: (out, { sample: { json } }) => {
    out.note(NOTE);
    if (!Array.isArray(json)) return createJsonSink(['$'], ({ value }) => readKeep(value, 'the note', out));
    return createJsonSink(['$.*'], ({ value, path }) => readKeep(value, `note ${Number(path[0]) + 1}`, out));
  },
};

const CREATED = /<created>(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})Z<\/created>/u;
const [DATA_BEGINS, DATA_ENDS] = ['<data encoding="base64">', '</data>'];

/** The page of a note, which stands there word for word. */
function toPage(block: string): string | undefined {
  const start = block.indexOf('<![CDATA[', Math.max(0, block.indexOf('<content>')));
  const end = block.indexOf(']]>', start);
  if (start < 0 || end < 0) return undefined;
  return block.slice(start + '<![CDATA['.length, end).replace(/^\s*<\?xml\b[^<>]*\?>/u, '');
}

/** Passes on a text without the letters that pictures stand in: they may be many megabytes. */
function withoutData(sink: Sink): Sink {
  let rest = '';
  let isData = false;
  const take = (isLast: boolean): void => {
    for (;;) {
      const mark = isData ? DATA_ENDS : DATA_BEGINS;
      const at = rest.indexOf(mark);
      // The mark may stand across two pieces.
      const end = at < 0 ? Math.max(0, rest.length - (isLast ? 0 : mark.length)) : at;
      if (!isData && end > 0) sink.write(rest.slice(0, end));
      rest = rest.slice(at < 0 ? end : at + mark.length);
      if (at < 0) return;
      isData = !isData;
    }
  };
  return {
    write: (piece) => {
      rest += piece;
      take(false);
    },
    end: () => {
      take(true);
      sink.end();
    },
  };
}

function readEvernote(block: string, number: number, out: Out) {
  const page = toPage(block);
  if (page === undefined) return out.fault(`note ${number}`, 'it has no content');
  const title = toHtmlText(/<title>([^<]{0,500})<\/title>/u.exec(block)?.[1] ?? '');
  const [year, month, day, hour, minute, second] = (CREATED.exec(block) ?? []).slice(1).map(Number);
  const wall =
    year === undefined || month === undefined || day === undefined
      ? undefined
      : toWall({ year, month, day, hour: hour ?? 0, minute: minute ?? 0, second: second ?? 0 });
  out.conversation({ title: title || undefined });
  addNote(out, `note ${number}`, { title, words: toHtmlText(page), ...(wall !== undefined && { at: `${wall}Z` }) });
}

/** What Evernote exports: `.enex`. Pictures stand in it as letters, and are passed over. */
export const evernote: Reader = {
  name: 'evernote',
  title: 'Evernote notes',
  detect: ({ text: page }) => /<en-export\b/u.test(page.slice(0, 1_000)),
  read: (out) => {
    out.note(NOTE);
    return withoutData(
      createHtmlBlocks({
        mark: '<note>',
        name: 'note',
        onBlock: (block, number) => {
          if (number > 0) readEvernote(block, number, out);
        },
      }),
    );
  },
};
