import { stat } from 'node:fs/promises';
import { type HookClient, specOf } from './clients.ts';

/**
 * How far a transcript is as it is now: its length in bytes, or for a database of all sessions when it was last written to, in milliseconds
 * since 1970. It rejects where the file is gone.
 */
export async function measure({ client, transcript }: MeasuredSession): Promise<number> {
  const { size, mtimeMs } = await stat(transcript);
  if (specOf(client).keptIn !== 'database') return size;
  // SQLite writes to the file next to it first.
  const log = await stat(`${transcript}-wal`).catch(() => undefined);
  return Math.ceil(Math.max(mtimeMs, log?.mtimeMs ?? 0));
}

/** What of a session tells where it is kept. */
interface MeasuredSession {
  readonly client: HookClient;
  readonly transcript: string;
}

/** The same; undefined where the file is gone. */
export const measureIfThere = (session: MeasuredSession): Promise<number | undefined> =>
  measure(session).catch(() => undefined);
