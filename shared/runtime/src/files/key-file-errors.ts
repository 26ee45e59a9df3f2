import process from 'node:process';
import { ContextloomError } from '@contextloom/contracts';

/** Whether the system tells who may read and write a file by its mode. */
const HAS_MODES = process.platform !== 'win32';
/** Source: inode(7), the bits of the file mode. */
const OTHERS_WRITE = 0o022;
const OTHERS_READ_OR_WRITE = 0o066;

/**
 * Refuses a file of keys that others than its owner may change: they could make themselves a key.
 * @throws ContextloomError `invalid`
 */
export function requireOwnWriting(file: string, mode: number): void {
  if (!HAS_MODES || (mode & OTHERS_WRITE) === 0) return;
  throw new ContextloomError('invalid', `${file} may be changed by others than its owner: chmod 600 "${file}"`);
}

/**
 * Refuses a secret that others than its owner may read or change: they could speak in the name of this installation.
 * @throws ContextloomError `invalid`
 */
export function requireOwnReading(file: string, mode: number): void {
  if (!HAS_MODES || (mode & OTHERS_READ_OR_WRITE) === 0) return;
  throw new ContextloomError('invalid', `${file} may be read or changed by others than its owner: chmod 600 "${file}"`);
}

/** What the system said of a file, in one line; any other error stays as it is. */
export function toFileError(cause: unknown, file: string, done: 'read' | 'written'): unknown {
  if (typeof cause !== 'object' || cause === null || !('code' in cause) || !('syscall' in cause)) return cause;
  const advice =
    done === 'read' ? 'it must be a file that this user may read' : 'this user must be allowed to write to its folder';
  return new ContextloomError('unavailable', `${file} cannot be ${done} (${String(cause.code)}): ${advice}`, { cause });
}
