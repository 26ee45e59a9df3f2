/** One line of a stream, counted from 1; `undefined` where it is no UTF-8 or too long. */
export interface Line {
  readonly number: number;
  readonly text: string | undefined;
}

/** A memory of a megabyte, every character of it escaped, is shorter. */
const MAX_LINE_BYTES = 8_000_000;
const NEWLINE = 0x0a;

const decoder = new TextDecoder('utf-8', { fatal: true });

function decode(parts: readonly Uint8Array[]): string | undefined {
  try {
    return decoder.decode(Buffer.concat(parts));
  } catch (error) {
    if (Object(error).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return undefined;
    throw error;
  }
}

/**
 * Cuts a stream at newlines alone: JSON may have every other line separator inside a text. Blank lines are left out; of a line
 * that is too long nothing is kept.
 */
export async function* readLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let length = 0;
  let number = 1;
  const add = (part: Uint8Array): void => {
    length += part.length;
    if (length > MAX_LINE_BYTES) parts = [];
    else parts.push(part);
  };
  const take = (): Line => {
    const line = { number, text: length > MAX_LINE_BYTES ? undefined : decode(parts) };
    parts = [];
    length = 0;
    number += 1;
    return line;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      add(chunk.subarray(from, at));
      const line = take();
      if (line.text?.trim() !== '') yield line;
      from = at + 1;
    }
    add(chunk.subarray(from));
  }
  if (length === 0) return;
  const line = take();
  if (line.text?.trim() !== '') yield line;
}
