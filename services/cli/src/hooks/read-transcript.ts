import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { createInterface } from 'node:readline';
import { createScanner } from 'jsonc-parser';
import type { HookJob } from './hook-folder.ts';
import { readOpenCodeSession } from './opencode-session.ts';

/** A line that is longer holds a file or an image, and nothing that was said; UTF-16 code units. */
const MAX_LINE = 256 * 1_024;
/** What one call carries, in UTF-16 code units. */
const MAX_PART = 2 * 1_024 * 1_024;

/** Reads whole lines of a transcript from one byte to another, in parts that one call can carry. */
export async function* readTranscript(file: string, from: number, to: number): AsyncGenerator<string> {
  if (to <= from) return;
  const input = createReadStream(file, { start: from, end: to - 1, encoding: 'utf8' });
  let part = '';
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    // The last line may still be in the writing.
    if (line.length > MAX_LINE || !line.trimEnd().endsWith('}')) continue;
    if (part.length + line.length > MAX_PART) {
      yield part;
      part = '';
    }
    part += `${line}\n`;
  }
  if (part.trim() !== '') yield part;
}

/** A larger document is not read into memory; bytes. */
const MAX_DOCUMENT = 256 * 1_024 * 1_024;

/** Where the objects in the list `messages` of a document begin and end. A document that is cut off has those before the cut. */
function findMessages(text: string): readonly (readonly [start: number, end: number])[] {
  const scanner = createScanner(text, true);
  const places: (readonly [number, number])[] = [];
  let [depth, start, key] = [0, 0, ''];
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const at = scanner.getTokenOffset();
    const mark = text[at];
    if (depth === 1 && mark === '"') key = scanner.getTokenValue();
    if (mark === '{' || mark === '[') {
      if (depth === 2) start = at;
      depth += 1;
    }
    if (mark === '}' || mark === ']') {
      depth -= 1;
      if (depth === 2 && key === 'messages') places.push([start, at + 1]);
    }
  }
  return places;
}

/** What of a message says something: calls of tools stand in it with all that they answered. */
function toSaid(message: string): string | undefined {
  try {
    const { id, timestamp, type, content } = Object(JSON.parse(message));
    return JSON.stringify({ id, timestamp, type, content });
  } catch {
    return undefined; // Cut off, or no message.
  }
}

/**
 * Reads the messages of a session that its client keeps in one piece, and writes again as a whole, in documents that one call can carry.
 * What follows the last message is as long as when it was written before, so that a place in bytes tells what was read.
 */
async function* readDocument({ transcript, session, size }: ReadJob, from: number): AsyncGenerator<string> {
  if ((await stat(transcript)).size > MAX_DOCUMENT) return;
  const bytes = await readFile(transcript);
  // One character a byte: places in it are places in the file.
  const places = findMessages(bytes.toString('latin1'));
  const tail = bytes.length - (places.at(-1)?.[1] ?? 0);
  const toDocument = (messages: readonly string[]): string =>
    `{"sessionId":${JSON.stringify(session)},"projectHash":"","messages":[${messages.join(',')}]}`;
  let [messages, length]: [string[], number] = [[], 0];
  for (const [start, end] of places) {
    if (end + tail <= from || end + tail > size) continue;
    const said = toSaid(bytes.toString('utf8', start, end));
    if (said === undefined || said.length > MAX_LINE) continue;
    if (length + said.length > MAX_PART) {
      yield toDocument(messages);
      [messages, length] = [[], 0];
    }
    messages.push(said);
    length += said.length;
  }
  if (messages.length > 0) yield toDocument(messages);
}

/** What of a session is read. */
type ReadJob = Pick<HookJob, 'client' | 'session' | 'transcript' | 'size' | 'program'> & {
  readonly project: Pick<HookJob['project'], 'path'>;
};

/**
 * Reads what a session said from a place on, in conversations that one call can carry; places are what `measure` answers.
 * @throws ContextloomError `not_found` or `unavailable` where the client's own program reads no such session, or not now
 */
export async function* readParts(job: ReadJob, from: number): AsyncGenerator<string> {
  if (job.client === 'opencode') {
    yield* readOpenCodeSession(job, from, { maxLength: MAX_PART, maxMessage: MAX_LINE });
    return;
  }
  // Gemini CLI wrote documents before it wrote lines.
  if (job.client === 'gemini' && extname(job.transcript) === '.json') {
    yield* readDocument(job, from);
    return;
  }
  // A single line would be read as one document of JSON, and not as the lines of a session.
  for await (const part of readTranscript(job.transcript, from, job.size)) yield `{}\n${part}`;
}
