import { mkdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { acquireFileLock } from './file-lock.ts';

/** How a file is changed. */
export interface UpdateFileOptions {
  /** The mode of the new file: for secrets 0o600. Without it an existing file keeps its own. */
  readonly mode?: number;
}

/**
 * Changes a file that several processes may change at once: one after the other, and readers see the old text or the new one,
 * never a part. `toNext` gets undefined where there is no file yet.
 * @throws what `toNext` throws, before anything is written; ContextloomError `conflict` when others change it all the time
 */
export async function updateFile(
  file: string,
  toNext: (text: string | undefined) => string | Promise<string>,
  { mode }: UpdateFileOptions = {},
): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const unlock = await acquireFileLock(`${file}.lock`);
  try {
    const text = await readFile(file, 'utf8').catch((error: unknown) => {
      if (Object(error).code === 'ENOENT') return undefined;
      throw error;
    });
    await writeFileAtomic(file, await toNext(text), mode === undefined ? {} : { mode });
  } finally {
    await unlock();
  }
}
