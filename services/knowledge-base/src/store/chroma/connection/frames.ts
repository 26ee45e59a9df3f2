import type { Socket } from 'node:net';
import { deserialize, serialize } from 'node:v8';

/** Bytes of the length that stands before each message. */
const HEAD = 4;

/** Sends a message: its length, and then itself as Node's structured clone writes it, with maps and typed arrays. */
export function sendFrame(socket: Socket, message: unknown): void {
  const body = serialize(message);
  const head = Buffer.alloc(HEAD);
  head.writeUInt32BE(body.length);
  socket.cork();
  socket.write(head);
  socket.write(body);
  socket.uncork();
}

/** Calls back with each message of a socket; its pieces are joined once it is whole. */
export function readFrames(socket: Socket, onMessage: (message: unknown) => void): void {
  let pieces: Buffer[] = [];
  let size = 0;
  let wanted = HEAD;
  let isHead = true;
  socket.on('data', (piece: Buffer) => {
    pieces.push(piece);
    size += piece.length;
    while (size >= wanted) {
      const all = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
      const part = all.subarray(0, wanted);
      pieces = [all.subarray(wanted)];
      size -= wanted;
      wanted = isHead ? part.readUInt32BE() : HEAD;
      if (!isHead) onMessage(deserialize(part));
      isHead = !isHead;
    }
  });
}
