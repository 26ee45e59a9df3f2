import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ContextloomError } from '@contextloom/contracts';
import type { StoreReport } from './domain/store.ts';
import type { ImportReport } from './domain/transfer/transfer.ts';
import { type MoveOptions, moveMemories, type OpenOptions, openProjectMemory } from './open-project-memory.ts';

/** What a look at the store found, and what it mended. */
export interface DoctorReport extends StoreReport {
  /** Memories whose fragments were made again. */
  readonly mended: readonly string[];
}

/** Looks for rows that do not fit each other and makes fragments again from the texts, which are the truth. */
export async function doctor(options: OpenOptions): Promise<DoctorReport> {
  const { store, pending, close } = await openProjectMemory(options);
  try {
    const { torn } = await store.inspect();
    for (const id of torn) await store.rewriteFragments(id);
    await pending.run();
    return { ...(await store.inspect()), mended: torn };
  } finally {
    await close();
  }
}

/**
 * Forgets all vectors and makes those of the owner with the embedder that is set; other owners' are made by their own servers.
 * Answers how many memories of the owner have none yet.
 */
export async function reembed(options: OpenOptions): Promise<{ readonly memories: number; readonly pending: number }> {
  const { store, pending, close } = await openProjectMemory({
    ...options,
    onMismatch: 'rebuild',
  });
  try {
    await pending.run();
    const { pending: left, memories: groups } = await store.counts(options);
    const memories = groups.reduce((sum, { count }) => sum + count, 0);
    if (left === 0) return { memories, pending: 0 };
    const message = `${left} of ${memories} memories have no vectors: the embedder could not be used; run it again`;
    throw new ContextloomError('unavailable', message);
  } finally {
    await close();
  }
}

/**
 * Copies the memories of all owners to the engine named, and says what came of it.
 * @throws ContextloomError as {@link moveMemories} does; `unavailable` where a person ended it before it was done
 */
export async function move(to: string, options: MoveOptions): Promise<string> {
  const report = await moveMemories(to, options);
  if (report === undefined || report.owners === 0) return 'Project memory: nothing to move.';
  const { owners, lines, copied, isInterrupted } = report;
  if (isInterrupted) {
    const message = `Interrupted: ${copied} lines of project memory written now. The same command goes on.`;
    throw new ContextloomError('unavailable', message);
  }
  const next =
    to === 'postgres'
      ? 'Start the servers with DATABASE_URL; what they store in the folder until then is copied when this is run again.'
      : 'Start the servers without DATABASE_URL; what they store in the database until then is copied when this is run again.';
  return `Project memory: ${lines} lines of ${owners} owners, ${copied} written now, each compared by its digest. ${next}`;
}

/**
 * Writes all memories of the owner to a file, which is there only when it is whole.
 * @throws ContextloomError `invalid` for a file that cannot be written
 */
export async function exportTo(
  file: string,
  options: OpenOptions,
): Promise<{ readonly file: string; readonly lines: number }> {
  const { memory, close } = await openProjectMemory(options);
  const partial = `${file}.partial`;
  let lines = 0;
  const count = async function* (): AsyncGenerator<string> {
    for await (const line of memory.exportText({})) {
      lines += 1;
      yield line;
    }
  };
  try {
    await pipeline(Readable.from(count()), createWriteStream(partial, { flush: true }));
    await rename(partial, file);
    return { file, lines };
  } catch (cause) {
    await rm(partial, { force: true });
    throw toFileError(cause, `--export cannot write ${file}`);
  } finally {
    await close();
  }
}

/**
 * Adds what an export has to the memories of the owner, and makes their vectors.
 * @throws ContextloomError `invalid` for a file that is no export or cannot be read
 */
export async function importFrom(file: string, options: OpenOptions): Promise<ImportReport> {
  const { memory, pending, close } = await openProjectMemory(options);
  try {
    const report = await memory.importText(createReadStream(file));
    await pending.run();
    return report;
  } catch (cause) {
    throw toFileError(cause, `--import cannot read ${file}`);
  } finally {
    await close();
  }
}

/** An error of the file system names the file; all others stand as they are. */
function toFileError(cause: unknown, message: string): unknown {
  const isOfFile = cause instanceof Error && 'syscall' in cause;
  return isOfFile ? new ContextloomError('invalid', message, { cause }) : cause;
}
