import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { createTimeSlices, type RunInSlices } from '@contextloom/runtime/scheduling';
import { createAssembler, type FoundConversation, type Selection } from '../formats/assemble.ts';
import type { GraphPart } from '../formats/graph-part.ts';
import { askReaders } from '../formats/index.ts';
import type { DayOrder, Reader, Sample, Sink } from '../formats/reader.ts';
import { isPackageMessages, readChannels } from '../formats/readers/discord-package.ts';
import { readGoogleUser } from '../formats/readers/google-chat.ts';
import { readSlackPeople } from '../formats/readers/slack.ts';
import { SAMPLE_LENGTH, toSample } from '../formats/sample.ts';
import { decode, type Encoding, findEncoding } from './encoding.ts';
import type { Entry, Source } from './source.ts';

/** How a source is read. */
export interface ReadSourceOptions extends Selection {
  readonly format?: string | undefined;
  readonly dayOrder?: DayOrder | undefined;
  readonly signal: AbortSignal;
}

/** What is found on the way through a source. */
export type Found =
  | { readonly kind: 'conversation'; readonly conversation: FoundConversation }
  | { readonly kind: 'graph'; readonly part: GraphPart }
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly format: string;
      readonly encoding: string;
      readonly digest: string;
    }
  | { readonly kind: 'left out'; readonly what: string; readonly path: string; readonly text: string }
  | { readonly kind: 'fault'; readonly path: string; readonly reason: string }
  | { readonly kind: 'note'; readonly text: string }
  /** Bytes read so far. */
  | { readonly kind: 'progress'; readonly bytes: number };

/** Files of exports that hold no conversation. */
const COMPANION =
  /(?:^|\/)(?:users?|channels|groups|dms|mpims|integration_logs|huddle_transcripts|canvases|file_conversations|lists|message_feedback|shared_conversations|model_comparisons|user_settings|user_info|group_info|group_chats|shopping|sora|export_manifest|conversation_asset_file_names)\.json$|(?:^|\/)chat\.html$/u;
const TEXT =
  /\.(?:txt|text|log|md|markdown|json|jsonl|ndjson|csv|tsv|vtt|srt|sbv|mbox|eml|html?|xml|enex|af|db|sqlite3?)$/iu;
/** A list of names is read whole. */
const MAX_NAMES = 64 * 1024 * 1024;

async function readBeginning(entry: Entry, encoding: Encoding): Promise<Sample> {
  let text = '';
  for await (const piece of decode(entry, encoding)) {
    text += piece;
    if (text.length >= SAMPLE_LENGTH) return toSample(text, entry.path, false);
  }
  return toSample(text, entry.path, true);
}

/** Files of exports with the names of people or channels, and what reads them. */
const NAMES = [
  { path: /(?:^|\/)users\.json$/u, read: readSlackPeople },
  { path: /(?:^|\/)index\.json$/u, read: readChannels },
  { path: /(?:^|\/)user_info\.json$/u, read: readGoogleUser },
];

async function readJson(entry: Entry): Promise<unknown> {
  try {
    let text = '';
    for await (const piece of decode(entry, await findEncoding(entry))) text += piece;
    return JSON.parse(text.replace(/^\uFEFF/u, ''));
  } catch (error) {
    if (error instanceof SyntaxError || isContextloomError(error)) return undefined;
    throw error;
  }
}

async function readNames({ entries }: Source): Promise<ReadonlyMap<string, string>> {
  const found = NAMES.map(({ path, read }) => ({
    entry: entries.find((entry) => path.test(entry.path) && entry.size <= MAX_NAMES),
    read,
  }));
  const names = new Map<string, string>();
  for (const { entry, read } of found)
    if (entry !== undefined) for (const [id, name] of read(await readJson(entry))) names.set(id, name);
  return names;
}

/** So much of a text is read at once, in characters: a text of short lines has thousands of them in it. */
const PIECE = 4_096;

/** Hands a piece of a text to a sink in small ones, between which the event loop turns: other calls are answered meanwhile. */
async function writeInSlices(sink: Pick<Sink, 'write'>, text: string, run: RunInSlices): Promise<void> {
  for (let at = 0; at < text.length; at += PIECE) await run(() => sink.write(text.slice(at, at + PIECE)));
}

/** Finds the reader of a text, one question in a slice. */
async function findInSlices(sample: Sample, format: string | undefined, run: RunInSlices): Promise<Reader> {
  const steps = askReaders(sample, format);
  for (;;) {
    const step = await run(() => steps.next());
    if (step.done === true) return step.value;
  }
}

async function survey(
  reader: Reader,
  entry: Entry,
  encoding: Encoding,
  run: RunInSlices,
): Promise<{ dayOrder?: DayOrder | undefined }> {
  const one = reader.survey?.();
  if (one === undefined) return {};
  for await (const piece of decode(entry, encoding)) await writeInSlices(one, piece, run);
  one.end();
  return one.result();
}

function toReason(error: unknown): string {
  if (!isContextloomError(error)) throw error;
  return withoutFormats(error.message);
}

/** The list of formats is for who has no idea; here the file and its place are named. */
function withoutFormats(reason: string): string {
  return reason.replace(/^the conversation cannot be read: /u, '').replace(/\. Conversations are read as .*$/su, '');
}

/** Reads what is found in a source, file by file; what cannot be read is named, and the rest goes on. */
export async function* readSource(source: Source, options: ReadSourceOptions): AsyncGenerator<Found> {
  for (const { path, reason } of source.refused) yield { kind: 'fault', path, reason };
  const names = await readNames(source);
  const queue: Found[] = [];
  const run = createTimeSlices();
  let path = '';
  const out = createAssembler(options, {
    onConversation: (conversation) => queue.push({ kind: 'conversation', conversation }),
    onGraph: (part) => queue.push({ kind: 'graph', part }),
    onLeftOut: (what, at, text) =>
      queue.push({ kind: 'left out', what, path: at === '' ? path : `${path}, ${at}`, text }),
    onFault: (at, reason) => queue.push({ kind: 'fault', path: `${path}, ${at}`, reason: withoutFormats(reason) }),
    onNote: (text) => queue.push({ kind: 'note', text }),
  });
  const isAlone = source.entries.length === 1;
  // Besides messages, the package of Discord has what the user clicked on, in files of millions of lines.
  const isPackage = source.entries.some(({ path: one }) => isPackageMessages(one));
  const isCompanion = (one: string): boolean =>
    COMPANION.test(one) || !TEXT.test(one) || (isPackage && !isPackageMessages(one));
  for (const entry of source.entries) {
    path = entry.path;
    if (!isAlone && isCompanion(path)) {
      yield { kind: 'left out', what: 'file without conversations', path, text: '' };
      continue;
    }
    try {
      yield* readEntry(entry);
    } catch (error) {
      yield* queue.splice(0);
      yield { kind: 'fault', path, reason: toReason(error) };
    }
  }
  out.end();
  yield* queue.splice(0);

  async function* readEntry(entry: Entry): AsyncGenerator<Found> {
    const encoding = await findEncoding(entry);
    const sample = await readBeginning(entry, encoding);
    const reader = await findInSlices(sample, options.format, run);
    const decided = {
      ...(await survey(reader, entry, encoding, run)),
      ...(options.dayOrder !== undefined && { dayOrder: options.dayOrder }),
    };
    out.file();
    const sink: Sink = reader.read(out, { file: entry.path, sample, names, date: options.date, ...decided });
    yield { kind: 'file', path, format: reader.title, encoding: encoding.label, digest: encoding.digest };
    if (encoding.isCut) yield { kind: 'fault', path, reason: 'it ends in the middle of a character' };
    for await (const piece of decode(entry, encoding)) {
      if (options.signal.aborted) throw new ContextloomError('unavailable', 'the reading was stopped');
      refuseNul(piece);
      await writeInSlices(sink, piece, run);
      yield* queue.splice(0);
      yield { kind: 'progress', bytes: piece.length };
    }
    await run(() => sink.end());
    yield* queue.splice(0);
  }
}

function refuseNul(piece: string): void {
  if (piece.includes('\0')) throw new ContextloomError('invalid', 'it is no text: it holds NUL characters');
}
