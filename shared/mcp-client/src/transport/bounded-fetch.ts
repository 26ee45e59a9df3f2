import { MAX_MESSAGE_BYTES } from '@contextloom/runtime';

const NEW_LINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Thrown where a server answers with more than anybody should keep in memory. */
export class AnswerTooLargeError extends Error {
  readonly code = 'ANSWER_TOO_LARGE';
}

/** What bounds answers. */
export interface BoundedFetchOptions {
  /** Called for an answer that is cut: who waits on an event stream does not learn of it otherwise. */
  readonly onTooLarge: (error: AnswerTooLargeError) => void;
  readonly maxBytes?: number;
  readonly fetch?: typeof globalThis.fetch;
}

/** Whether a response is a stream of events. */
export const isEventStream = (headers: Headers): boolean =>
  /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');

/** A `fetch` whose answers, or each event of those that are event streams, have at most `maxBytes` bytes (64 MiB). */
export function createBoundedFetch(options: BoundedFetchOptions): typeof globalThis.fetch {
  const { onTooLarge, maxBytes = MAX_MESSAGE_BYTES, fetch = globalThis.fetch } = options;
  return async (input, init) => {
    const response = await fetch(input, init);
    if (response.body === null) return response;
    const measure = isEventStream(response.headers) ? createEventMeasure() : createMeasure();
    const bound = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (measure(chunk) <= maxBytes) return controller.enqueue(chunk);
        const error = new AnswerTooLargeError(`the answer has more than ${maxBytes} bytes`);
        controller.error(error);
        onTooLarge(error);
      },
    });
    return new Response(response.body.pipeThrough(bound), response);
  };
}

/** Takes the next bytes, and tells how many there were. */
type Measure = (chunk: Uint8Array) => number;

function createMeasure(): Measure {
  let total = 0;
  return (chunk) => {
    total += chunk.length;
    return total;
  };
}

/** Tells the bytes of the longest event that has bytes in a chunk. An empty line ends one. Source: the HTML standard, server-sent events. */
function createEventMeasure(): Measure {
  let event = 0;
  let isLineEmpty = true;
  return (chunk) => {
    let longest = 0;
    let from = 0;
    for (let end = chunk.indexOf(NEW_LINE); end !== -1; end = chunk.indexOf(NEW_LINE, from)) {
      event += end + 1 - from;
      longest = Math.max(longest, event);
      if (isLineEmpty && isBlank(chunk, from, end)) event = 0;
      isLineEmpty = true;
      from = end + 1;
    }
    event += chunk.length - from;
    isLineEmpty &&= isBlank(chunk, from, chunk.length);
    return Math.max(longest, event);
  };
}

function isBlank(chunk: Uint8Array, from: number, end: number): boolean {
  return end === from || (end === from + 1 && chunk[from] === CARRIAGE_RETURN);
}
