import { Transform } from 'node:stream';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { MAX_LINE_BYTES } from '@contextloom/runtime';
import { checkJson } from './check-json.ts';

/** How much of the two ends of a line is kept to find the id of a request that is refused, in bytes. */
const END_BYTES = 1_024;

/** A line that was refused: why, and the id to answer under; null when the line does not show one. */
export interface RefusedLine {
  readonly error: ContextloomError;
  readonly id: string | number | null;
}

/** What a splitter of lines needs to know. */
export interface StdioLinesOptions {
  readonly onRefused: (refused: RefusedLine) => void;
  /** What the end of the lines waits for once the input has ended. */
  readonly beforeEnd?: () => Promise<void>;
  readonly maxLineBytes?: number;
}

/** A line whose end has not come yet. Of one that is too long only the ends are kept. */
interface OpenLine {
  parts: Buffer[];
  length: number;
}

const TEXT_OR_NUMBER = String.raw`"(?:[^"\\]|\\.)*"|\d+`;
const MEMBERS = String.raw`^\s*\{\s*(?:"(?:jsonrpc|id|method)"\s*:\s*(?:${TEXT_OR_NUMBER})\s*,\s*)*?`;
const REQUEST = new RegExp(String.raw`${MEMBERS}"method"\s*:`);
const ID_AT_START = new RegExp(String.raw`${MEMBERS}"id"\s*:\s*(${TEXT_OR_NUMBER})\s*,`);
const ID_AT_END = new RegExp(String.raw`,\s*"id"\s*:\s*(${TEXT_OR_NUMBER})\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$`);

/** The id of a request that is not parsed: clients write it as one of the first members or as the last. */
function findRequestId(line: Buffer): string | number | null {
  const start = line.toString('utf8', 0, END_BYTES);
  if (!REQUEST.test(start)) return null;
  const end = line.subarray(-END_BYTES).toString();
  const id = (ID_AT_START.exec(start) ?? ID_AT_END.exec(end))?.[1];
  return id === undefined || id.includes('\ufffd') ? null : (JSON.parse(id) as string | number);
}

/**
 * Splits standard input into lines and passes on those that may be parsed, each as one buffer with its line end. A line that is
 * too long, no UTF-8 or slow to parse is refused, and the next one is read. Bytes are joined once a line: the SDK's own buffer
 * joins all it has with every chunk that comes, which takes seconds for a line of 30 MB.
 */
export function createStdioLines({
  onRefused,
  beforeEnd = async () => undefined,
  maxLineBytes = MAX_LINE_BYTES,
}: StdioLinesOptions): Transform {
  let open: OpenLine = { parts: [], length: 0 };

  function append(bytes: Buffer): void {
    open.length += bytes.length;
    open.parts.push(bytes);
    if (open.length <= maxLineBytes) return;
    const kept = Buffer.concat(open.parts);
    open.parts = [kept.subarray(0, END_BYTES), kept.subarray(-END_BYTES)].map((end) => Buffer.from(end));
  }

  function refusalOf(line: Buffer): ContextloomError | undefined {
    if (open.length > maxLineBytes) {
      return new ContextloomError('too_large', `the message must be at most ${maxLineBytes} bytes`);
    }
    try {
      checkJson(line, 'message');
      return undefined;
    } catch (error) {
      if (!isContextloomError(error)) throw error;
      return error;
    }
  }

  function endLine(lines: Transform): void {
    const line = Buffer.concat(open.parts);
    const error = refusalOf(line);
    open = { parts: [], length: 0 };
    if (error === undefined) lines.push(line);
    else onRefused({ error, id: findRequestId(line) });
  }

  return new Transform({
    readableObjectMode: true,
    readableHighWaterMark: 1,
    transform(chunk: Buffer, _encoding, done) {
      let from = 0;
      for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', from)) {
        append(chunk.subarray(from, end + 1));
        endLine(this);
        from = end + 1;
      }
      append(chunk.subarray(from));
      done();
    },
    flush(done) {
      beforeEnd().then(() => done(), done);
    },
  });
}
