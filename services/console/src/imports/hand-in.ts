import type { ServerAnswer, ServerInput } from '../calls/operations.ts';

/** What a file is sent in, in bytes: as base64 it fits into one call with room to spare. */
const PIECE_BYTES = 1_500_000;

/** A file that the server has. */
export interface HandedIn {
  readonly upload: string;
  readonly name: string;
}

/** How the pieces of a file are sent. */
export interface HandInOptions {
  /** Sends one piece. @throws CallError */
  readonly send: (piece: Omit<ServerInput<'upload_import'>, 'user_id'>) => Promise<ServerAnswer<'upload_import'>>;
  /** Gets how many bytes have been sent. */
  readonly onSent: (bytes: number) => void;
  readonly signal: AbortSignal;
}

function toBase64(piece: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(reader.error ?? new Error('the file cannot be read'));
    reader.onload = () => resolve(String(reader.result).split(',')[1] ?? '');
    reader.readAsDataURL(piece);
  });
}

/** Hands a file in, piece by piece: the browser never has all of it in memory. */
export async function handIn(file: File, { send, onSent, signal }: HandInOptions): Promise<HandedIn> {
  let upload: string | undefined;
  for (let offset = 0; offset < file.size || upload === undefined; offset += PIECE_BYTES) {
    signal.throwIfAborted();
    const data = await toBase64(file.slice(offset, offset + PIECE_BYTES));
    ({ upload } = await send({ name: file.name, offset, data, ...(upload !== undefined && { upload }) }));
    onSent(Math.min(file.size, offset + PIECE_BYTES));
  }
  return { upload, name: file.name };
}
