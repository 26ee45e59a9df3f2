import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';

/** Longest file that is taken in, in bytes; longer ones are imported where they lie, by the command. */
export const MAX_UPLOAD_BYTES = 1_000_000_000;
/** Files of a user that wait for an import; a further one takes the place of the oldest. */
const MAX_WAITING = 3;

/** A piece of a file that comes in. */
export interface UploadPiece {
  readonly userId: string;
  /** As the first piece was answered; a new file without it. */
  readonly upload: string | undefined;
  /** What people call the file. */
  readonly name: string;
  /** Where in the file it belongs, in bytes: where the piece before ended. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/** A file that came in. */
export interface Uploaded {
  readonly file: string;
  readonly name: string;
}

/** The files that users hand in, each in a folder that only its owner's calls find. */
export interface Uploads {
  /** Takes a piece in. @throws ContextloomError `not_found`, `conflict` for a piece of another place, `too_large` */
  readonly append: (piece: UploadPiece) => Promise<{ readonly upload: string; readonly bytes: number }>;
  /** @throws ContextloomError `not_found` */
  readonly find: (userId: string, upload: string) => Promise<Uploaded>;
  readonly remove: (userId: string, upload: string) => Promise<void>;
  /** How many files of a user there are. */
  readonly count: (userId: string) => Promise<number>;
  readonly removeAll: (userId: string) => Promise<void>;
}

const [DATA, NAME] = ['data', 'name'];

/** Keeps files below a folder. @param newId makes a name of letters, digits and "-" */
export function createUploads({ folder, newId }: { readonly folder: string; readonly newId: () => string }): Uploads {
  // An id of a user may hold anything, a path as well.
  const toFolder = (userId: string): string => join(folder, createHash('sha256').update(userId).digest('hex'));
  const list = async (userId: string): Promise<readonly string[]> =>
    readdir(toFolder(userId)).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
  const remove = (userId: string, upload: string) =>
    rm(join(toFolder(userId), upload), { recursive: true, force: true });

  async function begin(userId: string, name: string): Promise<string> {
    const known = await list(userId);
    const dated = await Promise.all(
      known.map(async (one) => ({ one, at: (await stat(join(toFolder(userId), one))).mtimeMs })),
    );
    const oldest = dated.sort((a, b) => a.at - b.at).slice(0, Math.max(0, known.length - MAX_WAITING + 1));
    for (const { one } of oldest) await remove(userId, one);
    const upload = newId();
    const own = join(toFolder(userId), upload);
    await mkdir(own, { recursive: true, mode: 0o700 });
    await writeFile(join(own, NAME), name, { mode: 0o600 });
    await writeFile(join(own, DATA), '', { mode: 0o600 });
    return upload;
  }

  async function find(userId: string, upload: string): Promise<Uploaded> {
    const own = join(toFolder(userId), upload);
    const name = await readFile(join(own, NAME), 'utf8').catch((cause: unknown) => {
      if (!isMissing(cause)) throw cause;
      throw new ContextloomError('not_found', 'there is no such file any more: hand it in again', { field: 'upload' });
    });
    return { file: join(own, DATA), name };
  }

  return {
    find,
    remove,
    count: async (userId) => (await list(userId)).length,
    removeAll: (userId) => rm(toFolder(userId), { recursive: true, force: true }),
    append: async ({ userId, upload: given, name, offset, bytes }) => {
      if (offset + bytes.length > MAX_UPLOAD_BYTES) {
        const message = `a file must be at most ${MAX_UPLOAD_BYTES} bytes: "contextloom import" reads longer ones`;
        throw new ContextloomError('too_large', message, { field: 'data' });
      }
      const upload = given ?? (await begin(userId, name));
      const { file } = await find(userId, upload);
      const handle = await open(file, 'r+');
      try {
        const { size } = await handle.stat();
        if (size !== offset) {
          const message = `offset must be ${size}, where the piece before ended`;
          throw new ContextloomError('conflict', message, { field: 'offset' });
        }
        await handle.write(bytes, 0, bytes.length, offset);
      } finally {
        await handle.close();
      }
      return { upload, bytes: offset + bytes.length };
    },
  };
}

const isMissing = (error: unknown): boolean => Object(error).code === 'ENOENT';

const DATABASE = 'SQLite format 3';

/**
 * Refuses a database: it would be opened by SQLite itself, which trusts what its own files say.
 * @throws ContextloomError `invalid`
 */
export async function refuseDatabase(file: string): Promise<void> {
  for await (const piece of createReadStream(file, { end: DATABASE.length - 1 })) {
    if (String(piece) !== DATABASE) return;
    const message = 'a database is imported where it lies, by "contextloom import"';
    throw new ContextloomError('invalid', message, { field: 'upload' });
  }
}
