import { readLargeAnswer } from '@contextloom/runtime';
import {
  deserializeMessage,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
} from '@modelcontextprotocol/client';

const NEWLINE = 0x0a;

/** Splits what a process writes into messages. */
export interface MessageLines {
  /** Takes the next bytes. @throws Error where a line is longer than it may be */
  readonly append: (chunk: Buffer) => void;
  /** The next message; null where its end has not come yet. @throws Error for a line that is JSON and no message */
  readonly readMessage: () => JSONRPCMessage | null;
  readonly clear: () => void;
}

/**
 * Joins bytes once a line, and looks at each of them once: the buffer of the SDK joins all that it has with each chunk that comes,
 * which takes 20 seconds for a line of 60 MB.
 */
export function createMessageLines(maxLineBytes: number): MessageLines {
  let parts: Buffer[] = [];
  let length = 0;
  let chunk: Buffer = Buffer.alloc(0);

  function keep(bytes: Buffer): void {
    length += bytes.length;
    parts.push(bytes);
  }

  function takeLine(): Buffer | undefined {
    const end = chunk.indexOf(NEWLINE);
    keep(end === -1 ? chunk : chunk.subarray(0, end));
    chunk = chunk.subarray(end === -1 ? chunk.length : end + 1);
    if (length > maxLineBytes) {
      clear();
      throw new Error(`the message has more than ${maxLineBytes} bytes`);
    }
    if (end === -1) return undefined;
    const line = Buffer.concat(parts);
    parts = [];
    length = 0;
    return line;
  }

  function clear(): void {
    parts = [];
    length = 0;
    chunk = Buffer.alloc(0);
  }

  return {
    append: (next) => {
      chunk = chunk.length === 0 ? next : Buffer.concat([chunk, next]);
    },
    readMessage: () => {
      for (let line = takeLine(); line !== undefined; line = takeLine()) {
        const message = parseLine(line);
        if (message !== undefined) return message;
      }
      return null;
    },
    clear,
  };
}

/** Undefined for a line that is no JSON: some programs print words between their messages. */
function parseLine(bytes: Buffer): JSONRPCMessage | undefined {
  const answer = readLargeAnswer(bytes);
  if (isJSONRPCResultResponse(answer)) return answer;
  const line = bytes.toString();
  try {
    return deserializeMessage(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    const failed = toFailedAnswer(JSON.parse(line));
    if (failed === undefined) throw error;
    return failed;
  }
}

/** What stands for an answer that is none, such as one whose result is null: its request ends at once, not at its deadline. */
function toFailedAnswer(value: unknown): JSONRPCMessage | undefined {
  if (typeof value !== 'object' || value === null || 'method' in value || !('id' in value)) return undefined;
  const { id } = value;
  if (typeof id !== 'string' && typeof id !== 'number') return undefined;
  const message = 'the server answered something that is neither a result nor an error';
  return { jsonrpc: '2.0', id, error: { code: ProtocolErrorCode.InternalError, message } };
}
