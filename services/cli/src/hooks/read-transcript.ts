import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

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
