/** How long the headers of an event stream wait for the first event unless it is said, in milliseconds. */
export const PATIENCE_MS = 20;
/** What stands before the answer of an event, and after it. */
const [DATA, END] = ['data: ', '\n\n'];

type Read = Awaited<ReturnType<ReadableStreamDefaultReader<Uint8Array>['read']>>;

/**
 * Makes plain JSON of an event stream whose one event is there at once: a client takes both (streamable HTTP transport, sending
 * messages), and one write costs less than a stream. A stream with more events, or a later one, stays a stream.
 */
export async function toLoneAnswer(response: Response, patienceMs: number): Promise<Response> {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (!isStream || response.body === null) return response;
  const reader = response.body.getReader();
  const reads = [reader.read()];
  const first = await within(reads[0] as Promise<Read>, patienceMs);
  const answer = first?.value && parseLoneEvent(first.value);
  if (answer === undefined) return new Response(toStream(reader, reads), response);
  reads.push(reader.read());
  const isOver = (await within(reads[1] as Promise<Read>, patienceMs))?.done === true;
  if (!isOver) return new Response(toStream(reader, reads), response);
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json');
  return new Response(answer, { status: response.status, headers });
}

/** The data of a chunk that is one event, as bytes; undefined for any other. */
function parseLoneEvent(chunk: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const bytes = Buffer.from(chunk.buffer as ArrayBuffer, chunk.byteOffset, chunk.byteLength);
  const at = bytes.indexOf(DATA);
  const isLine = at === 0 || bytes[at - 1] === END.charCodeAt(0);
  if (at < 0 || !isLine || bytes.indexOf(END) !== bytes.length - END.length) return undefined;
  const data = bytes.subarray(at + DATA.length, bytes.length - END.length);
  return data.length === 0 || data.includes(END.charCodeAt(0)) ? undefined : data;
}

async function within<T>(work: Promise<T>, timeoutMs: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, timeoutMs, undefined);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The rest of a stream, after what was asked for already. */
function toStream(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  reads: readonly Promise<Read>[],
): ReadableStream<Uint8Array> {
  const asked = [...reads];
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await (asked.shift() ?? reader.read());
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
