import type { IncomingMessage } from 'node:http';

/** The body of a request, of which more is to come. */
export interface UnfinishedBody {
  readonly isUnfinished: () => boolean;
  /** Bytes a millisecond since the request was let in. */
  readonly pace: () => number;
  /** Ends the request. */
  readonly cut: () => void;
}

/** How long a body may be silent, in milliseconds. */
export const BODY_SILENCE_MS = 30_000;

/** As Node itself answers a request that takes too long. Source: RFC 9110, section 15.5.9. */
const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

/** Watches the body of a request until it is there, and ends the request when nothing of it comes for a while; undefined for one that is there. */
export function watchBody(
  request: IncomingMessage,
  silenceMs: number,
  now: () => number = performance.now.bind(performance),
): UnfinishedBody | undefined {
  if (request.complete || !hasBody(request)) return undefined;
  const { socket } = request;
  const [bytes, since] = [socket.bytesRead, now()];
  const cut = (): void => {
    if (!socket.destroyed) socket.end(TIMED_OUT, () => socket.destroy());
  };
  request.setTimeout(silenceMs);
  request.on('timeout', () => {
    // What has come and is not read yet is this server's own delay.
    if (!request.complete && request.readableLength === 0) cut();
  });
  request.once('end', () => request.setTimeout(0));
  return {
    isUnfinished: () => !request.complete,
    pace: () => (socket.bytesRead - bytes) / (now() - since + 1),
    cut,
  };
}
